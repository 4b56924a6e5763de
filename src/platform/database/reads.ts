import { currentContext, type RequestContext } from '../telemetry/log.ts'

const pages = new WeakMap<RequestContext, Map<unknown, Map<string, unknown>>>()

/**
 * Makes the answer to a GET, during which its loaders share what they read (`oncePerPage`). What goes on after it, such
 * as a stream, reads for itself.
 */
export async function sharingReads<Result>(run: () => Promise<Result>): Promise<Result> {
  const cause = currentContext()
  pages.set(cause, new Map())
  try {
    return await run()
  } finally {
    pages.delete(cause)
  }
}

/** The same for what is left of a request in which nothing changes any more, such as the page after a refused form. */
export function shareReads(): void {
  const cause = currentContext()
  if (!pages.has(cause)) pages.set(cause, new Map())
}

let reads = 0
/**
 * Has the loaders of one page share a read: the second one with the same values takes the first one's answer. Times are
 * left out of the values, since a page is of one moment. Inside a transaction each read is its own.
 */
export function oncePerPage<Source extends { $client: object }, Values extends unknown[], Answer>(
  read: (db: Source, ...values: Values) => Promise<Answer>,
): (db: Source, ...values: Values) => Promise<Answer> {
  const name = `${reads++} `
  return (db, ...values) => {
    const page = 'totalCount' in db.$client ? pages.get(currentContext()) : undefined
    if (!page) return read(db, ...values)
    const answers = page.get(db.$client) ?? new Map<string, unknown>()
    page.set(db.$client, answers)
    const key = name + JSON.stringify(values.filter((value) => !(value instanceof Date)))
    const answer = (answers.get(key) as Promise<Answer> | undefined) ?? read(db, ...values)
    answers.set(key, answer)
    return answer
  }
}
