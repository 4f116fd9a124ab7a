"""What changed between two published datasets of a recipe: measures of drift, the record, and guards."""
