"""``gistmill-train``: trains models on published datasets, and evaluates and exports them."""
