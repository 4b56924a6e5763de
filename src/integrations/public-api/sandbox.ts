import { createHash } from 'node:crypto'
import { ApiProblem } from './problems.ts'
import {
  type ApiClient,
  type clientFilterQuery,
  exampleId,
  exampleReference,
  invitedClient,
  type newClientFields,
} from './schemas.ts'

// What a key for trying is answered (decision 0056). All of it is in this file: no table is read or written.

const since = '2026-11-20T16:30:00.000Z'
const code = 'VERDE26'
const invitedId = example('invited')
const closedId = example('closed')

const unknown = { vehicle: null, reference: null, waitingOn: 'customer' as const, since, appointments: [] }
const known: readonly Omit<ApiClient, 'invitationUrl' | 'invitationExpiresAt'>[] = [
  {
    id: exampleId,
    firstName: 'Camila',
    vehicle: { brand: 'BYD', model: 'Dolphin' },
    reference: exampleReference,
    stage: 'visit',
    waitingOn: 'technician',
    since,
    appointments: [{ type: 'technical_visit', startsAt: '2026-11-27T16:00:00.000Z' }],
  },
  { ...unknown, id: invitedId, firstName: 'Andrés', stage: 'invited' },
  { ...unknown, id: closedId, firstName: 'Julia', stage: 'closed', waitingOn: 'none' },
]

/** The clients that there are for a key for trying, narrowed as asked; they fit on one page. */
export function triedClients({
  stage,
  code: wanted,
  reference,
  cursor,
  limit = known.length,
}: Partial<ReturnType<typeof clientFilterQuery.parse>> = {}) {
  const narrowed = known.filter(
    (one) =>
      (!stage || one.stage === stage) &&
      (!reference || one.reference === reference) &&
      (!wanted || wanted === code),
  )
  const at = cursor ? narrowed.findIndex(({ id }) => id === cursor) + 1 : 0
  const data = narrowed.slice(at, at + limit)
  return { data, next: at + limit < narrowed.length ? data.at(-1)!.id : null }
}

/** Somebody registered with a key for trying: always the same id for the same phone, and a link that opens nothing. */
export function triedClient(sent: ReturnType<typeof newClientFields.parse>, baseUrl: string, now: Date) {
  if (sent.code !== code)
    throw new ApiProblem('code_unusable', {
      message: `Con una llave de prueba el único código que sirve es ${code}.`,
      detail: `With a sandbox key the only code that works is ${code}.`,
    })
  return invitedClient({ ...sent, id: example(sent.phone), token: 'prueba' }, baseUrl, now)
}

const ofCode = { startsOn: '2026-11-23', endsOn: null, maxUses: 100, uses: 12 }

/** The codes of a key for trying; one of them can be used. */
export const triedCodes = {
  data: [
    {
      code,
      label: 'Mostrador',
      ...ofCode,
      state: 'active' as const,
      benefit: { kind: 'percent' as const, value: 1000 },
    },
    {
      code: 'PAVSA26',
      label: 'En pausa',
      ...ofCode,
      state: 'paused' as const,
      benefit: { kind: 'none' as const, value: 0 },
    },
  ],
  next: null,
}

const change = { clientId: exampleId, from: 'intake', to: 'visit', waitingOn: 'technician' } as const

/** The events of a key for trying. */
export const triedEvents = {
  data: [{ id: example('event'), type: 'client.stage_changed' as const, timestamp: since, data: change }],
  next: null,
}

/** To how many an event would be sent again; without an event, a test. */
export function triedDeliveries(eventId = triedEvents.data[0]!.id): { deliveries: number } {
  if (eventId !== triedEvents.data[0]!.id) throw new ApiProblem('not_found')
  return { deliveries: 1 }
}

/** A UUID of version 8, made of a text. */
function example(text: string): string {
  const hex = createHash('sha256').update(`sandbox ${text}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
