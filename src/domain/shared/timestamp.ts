/** A moment as whole seconds since 1970; what is left of the second is dropped. */
export const epochSeconds = (moment: Date) => Math.floor(moment.getTime() / 1000)

/** The moment that many seconds after 1970. */
export const fromEpochSeconds = (seconds: number) => new Date(seconds * 1000)
