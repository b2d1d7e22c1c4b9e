"""Pages of the inventory, under /w/<slug>/inventory/."""
