import type { Failure } from '../lib/submit.ts'
import { isLost, noteNetwork } from '../offline/network.ts'
import { needsNetwork } from './needs-network.ts'

const unheard = {
  title: 'No supimos si llegó',
  description:
    'La red se cayó al enviarlo. Revisa cómo va la cita antes de enviarlo otra vez: lo que escribiste sigue aquí.',
}

/** Milliseconds in which the server has to answer, as long as a page of the day waits for it. */
const patience = 4_000
/** Milliseconds after which the page does not wait for the answer of a form any more. */
const longest = 20_000

/**
 * Sends a form where the network may be lost, or look connected without answering: what was typed stays on the
 * screen, which no failure replaces. Checks first whether the server answers, so that nothing is sent in vain.
 */
export async function sendForm<Answer>(
  request: Request,
  send: () => Promise<Answer>,
): Promise<Answer | Failure> {
  // Pages without a worker of their own are not on site.
  if (!navigator.serviceWorker?.controller) return send()
  const typed = await fieldsOf(request.clone())
  const isThere = !isLost() && (await isServerThere())
  if (!isThere) return failed(typed, needsNetwork)
  try {
    return await within(longest, send())
  } catch (error) {
    // An answer of the server is no failure of the network.
    if (!(error instanceof TypeError || error instanceof LateAnswer)) throw error
    noteNetwork(false)
    return failed(typed, unheard)
  }
}

class LateAnswer extends Error {}

const isServerThere = () =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(patience) }).then(
    () => true,
    () => {
      noteNetwork(false)
      return false
    },
  )

const within = <Answer>(ms: number, coming: Promise<Answer>) =>
  Promise.race([
    coming,
    new Promise<never>((_, fail) => setTimeout(() => fail(new LateAnswer('no answer in time')), ms)),
  ])

const fieldsOf = async (request: Request): Promise<Record<string, string>> => {
  const form = await request.formData().catch(() => new FormData())
  return Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

const failed = (values: Failure['values'], said: { title: string; description: string }): Failure => ({
  errors: {},
  values,
  refusal: { code: 'unavailable', ...said, details: null },
})
