import type { FileRow } from './rows.ts'
import type { Task } from './send-order.ts'
import type { Heard } from './verdict.ts'

/** After so many milliseconds without an answer a request counts as lost. */
const longest = { small: 30_000, photo: 5 * 60_000 }

/** Makes the request of a task for its person; null when no answer came. `onProgress` hears of a photo from 0 to 100. */
export function send(
  personId: string,
  task: Task,
  blob: Blob | null,
  onProgress: (progress: number) => void,
): Promise<Heard | null> {
  if (task.kind === 'answers')
    return post(personId, `${task.appointmentId}/answers`, {
      changes: task.rows.map(({ name, value, base, at }) => ({ name, value, base, at })),
    })
  if (task.kind === 'move') {
    const { appointmentId, at, checklist, move, reason } = task.row
    return post(personId, `${appointmentId}/moves`, { move, at, reason, checklist })
  }
  const { row } = task
  if (row.isDrop) return ask(personId, `${row.appointmentId}/files/${row.id}`, { method: 'DELETE' })
  return blob ? put(personId, row, blob, onProgress) : Promise.resolve(lostPicture)
}

/** The phone itself threw the picture away, as browsers may when they run out of space. */
const lostPicture: Heard = {
  status: 410,
  retryAfter: null,
  body: {
    code: 'data-loss',
    title: 'El teléfono borró esta foto',
    description: 'Se quedó sin espacio y la perdió. Quítala y tómala de nuevo.',
  },
}

const post = (personId: string, path: string, body: unknown) =>
  ask(personId, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function ask(personId: string, path: string, init: RequestInit): Promise<Heard | null> {
  try {
    const answer = await fetch(`/onsite/${path}`, {
      ...init,
      headers: { ...init.headers, 'x-person': personId },
      signal: AbortSignal.timeout(longest.small),
    })
    return {
      status: answer.status,
      body: read(await answer.text()),
      retryAfter: answer.headers.get('retry-after'),
    }
  } catch {
    return null
  }
}

/** Only this older way tells how much of a body has gone. */
function put(personId: string, row: FileRow, blob: Blob, onProgress: (progress: number) => void) {
  const { promise, resolve } = Promise.withResolvers<Heard | null>()
  const request = new XMLHttpRequest()
  request.open('PUT', `/onsite/${row.appointmentId}/files/${row.id}?${queryOf(row)}`)
  request.setRequestHeader('x-person', personId)
  request.timeout = longest.photo
  request.upload.onprogress = ({ loaded, total }) =>
    onProgress(total > 0 ? Math.round((100 * loaded) / total) : 0)
  request.onload = () =>
    resolve({
      status: request.status,
      body: read(request.responseText),
      retryAfter: request.getResponseHeader('retry-after'),
    })
  request.onerror = request.ontimeout = request.onabort = () => resolve(null)
  request.send(blob)
  return promise
}

const queryOf = ({ at, keptBecause, sha256, slot }: FileRow) =>
  new URLSearchParams({ slot, capturedAt: at, sha256, ...(keptBecause && { keptBecause }) })

/** What an answer says; null where it is not ours. */
function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
