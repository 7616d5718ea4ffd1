"""Everything about transfers."""
