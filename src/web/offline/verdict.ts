import type { Problem } from './rows.ts'

/** What an answer of the server means for what was sent. */
export type Verdict =
  | { kind: 'taken'; body: unknown }
  /** Nobody could be asked, or not now: the same again, `after` so many milliseconds if the server says so. */
  | { kind: 'later'; after: number | null }
  /** Its author has to sign in first. */
  | { kind: 'signed-out' }
  /** Somebody else is signed in. */
  | { kind: 'other-person' }
  | { kind: 'refused'; problem: Problem }

export type Heard = { status: number; body: unknown; retryAfter: string | null }

const busy = new Set([408, 425, 429])

/** Judges an answer; null is none at all. */
export function verdictOf(heard: Heard | null): Verdict {
  if (!heard) return { kind: 'later', after: null }
  const { status, body, retryAfter } = heard
  if (status >= 200 && status < 300 && typeof body === 'object' && body !== null)
    return { kind: 'taken', body }
  // Also something between us and the server that answers with a page of its own.
  if (status >= 500 || busy.has(status) || status < 400) return { kind: 'later', after: seconds(retryAfter) }
  if (status === 401) return { kind: 'signed-out' }
  const problem = problemIn(status, body)
  if (problem.code === 'other-person') return { kind: 'other-person' }
  return { kind: 'refused', problem }
}

const seconds = (text: string | null) => (text && /^\d{1,4}$/.test(text) ? Number(text) * 1000 : null)

function problemIn(status: number, body: unknown): Problem {
  const said = (typeof body === 'object' && body !== null ? body : {}) as Partial<Problem>
  if (status === 404) return gone
  if (typeof said.title === 'string' && typeof said.description === 'string')
    return { code: said.code ?? String(status), title: said.title, description: said.description }
  return { ...unclear, code: String(status) }
}

const gone: Problem = {
  code: 'not-found',
  title: 'Esta cita ya no es tuya',
  description:
    'La oficina la pasó a otra persona o la quitó. Llama a la gerencia antes de borrar lo que guardaste.',
}
const unclear: Problem = {
  code: 'unknown',
  title: 'No se pudo enviar',
  description: 'Vuelve a intentarlo. Si sigue igual, llama a la gerencia: aquí sigue guardado.',
}
