import { overload } from '../shared/overload.ts'

/** How often a request is repeated, so that a busy moment does not lose the user's page. */
const tries = 3

/**
 * Retries every request of a screen (its data, its forms) by itself after the server had no room for it. Such an
 * answer says that nothing was done, so a form is not applied twice.
 */
export function retryWhenOverloaded(
  target: Pick<Window, 'fetch'> = window,
  pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
): void {
  const ask = target.fetch.bind(target)
  target.fetch = async (input, init) => {
    if (!isData(input)) return ask(input, init)
    for (let left = tries; ; left--) {
      const answer = await ask(input instanceof Request ? input.clone() : input, init)
      if (left === 0 || !answer.headers.has(overload.header)) return answer
      await pause((Number(answer.headers.get('retry-after')) || 2) * 1000)
    }
  }
}

const isData = (input: RequestInfo | URL) =>
  new URL(input instanceof Request ? input.url : input, 'http://any').pathname.endsWith('.data')
