/** What a user asked for that cannot be: one line that says what, where, and what to do. */
export class UsageError extends Error {}
