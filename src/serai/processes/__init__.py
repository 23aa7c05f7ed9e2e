"""Child processes: how they are started, talked to, sandboxed and ended. No other package starts one."""
