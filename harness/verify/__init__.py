"""Everything that a careful setter would check before others see the package."""
