type Known = { final?: boolean; reader?: string; about?: object }

/** A job that failed, in words that may be kept and logged: codes, nothing that somebody typed. */
export class JobFailed extends Error {
  /** No other try would help. */
  readonly final: boolean
  /** Whose letter it was. */
  readonly reader: string | undefined
  /** The job's data without what may be kept nowhere: with these it is kept for somebody to see. */
  readonly about: object | undefined

  constructor(message: string, { about, final = false, reader }: Known = {}) {
    super(message)
    this.name = 'JobFailed'
    this.final = final
    this.reader = reader
    this.about = about
  }

  /** The same with whose letter it was. */
  of(reader: string | undefined, about?: object): JobFailed {
    return new JobFailed(this.message, {
      final: this.final,
      ...(reader && { reader }),
      ...(about && { about }),
    })
  }
}
