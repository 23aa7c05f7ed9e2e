"""Who sits at the tables of old: their tokens, so that they can sit down again."""

TOKENS = {"ann": "upgrade-token-of-ann-00001", "ben": "upgrade-token-of-ben-00002"}
