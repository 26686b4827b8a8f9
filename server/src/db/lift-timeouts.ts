/** For a migration on PostgreSQL: it may take long, and waits for requests that replicas still answer. */
export const liftTimeouts = 'set local statement_timeout = 0; set local lock_timeout = 5000'
