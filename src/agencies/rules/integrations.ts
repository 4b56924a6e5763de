/** The scopes of an API key; the values are stored, and published in the API document. */
export const apiScopes = {
  'clients:write': 'Registrar clientes',
  'clients:read': 'Consultar en qué van sus clientes',
  'codes:read': 'Consultar sus códigos',
  'events:read': 'Consultar los avisos',
  'events:replay': 'Volver a enviar avisos',
} as const
export type ApiScope = keyof typeof apiScopes
export const scopeNames = Object.keys(apiScopes) as ApiScope[]

/** How long a new key is valid. */
export const keyLives = { never: 'Sin vencimiento', year: '1 año', quarter: '90 días' } as const
export type Life = keyof typeof keyLives
const days: Record<Life, number | null> = { never: null, year: 365, quarter: 90 }

type KeyLife = { revokedAt: Date | null; expiresAt: Date | null }
export type KeyState = 'active' | 'expired' | 'revoked'

/** The state of a key at a moment. */
export function keyState({ revokedAt, expiresAt }: KeyLife, now: Date): KeyState {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt <= now ? 'expired' : 'active'
}

/** The end of a key made now, or null. */
export function keyEnd(life: Life, now: Date): Date | null {
  const lasts = days[life]
  return lasts === null ? null : new Date(now.getTime() + lasts * 24 * 60 * 60 * 1000)
}

/** The events sent to an agency's own systems; the values are stored and published. */
const eventTypes = ['client.stage_changed', 'webhook.test'] as const
export type EventType = (typeof eventTypes)[number]

export const eventLabels: Record<EventType, string> = {
  'client.stage_changed': 'Un cliente cambió de etapa',
  'webhook.test': 'Prueba',
}

/** The payload, without the event's id, which precedes it. */
export type Payload = { type: EventType; timestamp: string; data: object }

/** Why an endpoint is off; the values are stored. */
export const stopLabels = {
  manager: 'Lo apagó la gerencia',
  failing: 'Se apagó solo: pasó tres días sin responder bien',
  gone: 'Se apagó solo: respondió que ya no quiere avisos (410)',
} as const
export type StopReason = keyof typeof stopLabels

/** The states of a delivery: it waits for its next attempt until it is delivered or abandoned. */
export const deliveryLabels = { pending: 'En espera', delivered: 'Entregado', dead: 'No entregado' } as const
export type DeliveryState = keyof typeof deliveryLabels

/** Why there was no answer; the values are stored. */
export const faultLabels = {
  private: 'La dirección es de una red privada',
  unknown_host: 'No encontramos ese servidor',
  unreachable: 'El servidor no acepta la conexión',
  timeout: 'No respondió en 10 segundos',
  certificate: 'Su certificado no es válido',
  broken: 'Cortó la conexión',
  switched_off: 'El destino estaba apagado',
  sealed: 'No pudimos leer su secreto: agrégalo otra vez',
} as const
export type DeliveryFault = keyof typeof faultLabels

/** The result of an attempt: the status of the answer, or why there was none. */
export type DeliveryOutcome = { status: number } | { fault: DeliveryFault }

/** Minutes from a failed attempt to the next: eight attempts in about a day. */
const waits = [1, 5, 30, 120, 240, 480, 600] as const
export const mostTries = waits.length + 1

const minute = 60_000
const longestFailing = 3 * 24 * 60 * minute

/** Hours after a change of secret in which messages are signed with both secrets. */
export const bothSecretsHours = 24

/** Only 2xx counts as success. Redirects are not followed: their targets are unchecked. */
const isTaken = (outcome: DeliveryOutcome) =>
  'status' in outcome && outcome.status >= 200 && outcome.status < 300

/** 410: the receiver wants no more deliveries. */
const isFarewell = (outcome: DeliveryOutcome) => 'status' in outcome && outcome.status === 410

/** Faults that no further attempt can change. */
const lasting: readonly DeliveryFault[] = ['switched_off', 'sealed']

export type AfterTry = { state: 'delivered' | 'dead' } | { state: 'pending'; nextAt: Date }

/** The state of a delivery after its n-th attempt. A test is attempted once, since its result is watched. */
export function afterTry(type: EventType, tries: number, outcome: DeliveryOutcome, at: Date): AfterTry {
  if (isTaken(outcome)) return { state: 'delivered' }
  const wait = type === 'webhook.test' ? undefined : waits[tries - 1]
  if (wait === undefined || isFarewell(outcome) || ('fault' in outcome && lasting.includes(outcome.fault)))
    return { state: 'dead' }
  return { state: 'pending', nextAt: new Date(at.getTime() + wait * minute) }
}

/** Whether a failed delivery switches its endpoint off, which has accepted nothing since `failingSince`. */
export function stopsFor(
  after: AfterTry,
  outcome: DeliveryOutcome,
  failingSince: Date,
  at: Date,
): StopReason | null {
  if (isFarewell(outcome)) return 'gone'
  const tooLong = at.getTime() - failingSince.getTime() >= longestFailing
  return after.state === 'dead' && tooLong ? 'failing' : null
}

/** The ports that we ask at by https; the usual one is not written. */
export const httpsPorts = ['', '8443']

const urlHelp = 'Escribe una dirección completa, como https://tu-sistema.mx/avisos.'

/**
 * An address that events may be sent to, normalized; or the error. What its host name resolves to is checked at every
 * attempt.
 */
export function endpointUrl(typed: string, allowHttp: boolean): { url: string } | { error: string } {
  const url = URL.parse(typed)
  if (!url?.hostname || !['http:', 'https:'].includes(url.protocol)) return { error: urlHelp }
  if (url.protocol === 'http:' && !allowHttp)
    return { error: 'Usa https: lo que mandamos viaja siempre cifrado.' }
  if (url.username || url.password)
    return { error: 'Quita el usuario y la contraseña: la firma ya dice que somos nosotros.' }
  if (!allowHttp && !httpsPorts.includes(url.port))
    return { error: 'Usa el puerto 443 o el 8443: a otros no mandamos.' }
  url.hash = ''
  return { url: url.href }
}
