/** Every refusal of the server: the statuses of the specification's store (§8), with HTTP status and Spanish words. */
export const refusals = {
  cancelled: {
    status: 499,
    title: 'Operación cancelada',
    description: 'La operación se canceló antes de terminar. Vuelve a intentarlo.',
  },
  unknown: {
    status: 500,
    title: 'Algo salió mal',
    description: 'No sabemos qué pasó. Vuelve a intentarlo en un momento.',
  },
  'invalid-argument': {
    status: 400,
    title: 'Revisa los datos',
    description: 'Hay un dato que no podemos aceptar. Corrígelo y vuelve a enviarlo.',
  },
  'deadline-exceeded': {
    status: 504,
    title: 'Tardamos demasiado',
    description: 'La operación no terminó a tiempo. Vuelve a intentarlo.',
  },
  'not-found': {
    status: 404,
    title: 'No lo encontramos',
    description: 'Esto no existe o ya no está disponible.',
  },
  'already-exists': { status: 409, title: 'No pudimos guardarlo', description: 'Alguien lo registró antes.' },
  'permission-denied': {
    status: 403,
    title: 'No tienes permiso',
    description: 'Tu cuenta no puede hacer esto.',
  },
  unauthenticated: {
    status: 401,
    title: 'Inicia sesión',
    description: 'Tu sesión terminó. Inicia sesión para continuar.',
  },
  'resource-exhausted': {
    status: 429,
    title: 'Demasiados intentos',
    description: 'Espera un momento antes de volver a intentarlo.',
  },
  'failed-precondition': {
    status: 409,
    title: 'No pudimos hacerlo',
    description: 'Falta un paso previo, o el estado ya cambió.',
  },
  aborted: {
    status: 409,
    title: 'Hubo un cambio',
    description: 'Alguien más actualizó este registro. Revisa lo que cambió y vuelve a intentarlo.',
  },
  'out-of-range': {
    status: 400,
    title: 'Fuera de rango',
    description: 'El valor está fuera de los límites permitidos.',
  },
  unimplemented: {
    status: 501,
    title: 'Aún no disponible',
    description: 'Esta función todavía no está disponible.',
  },
  internal: {
    status: 500,
    title: 'Error interno',
    description: 'Fue nuestra culpa. Ya quedó registrado; vuelve a intentarlo.',
  },
  unavailable: {
    status: 503,
    title: 'Servicio no disponible',
    description: 'Estamos teniendo problemas. Vuelve a intentarlo en unos segundos.',
  },
  'data-loss': {
    status: 500,
    title: 'Datos dañados',
    description: 'No pudimos leer la información completa. Pide ayuda.',
  },
} as const satisfies Record<string, { status: number; title: string; description: string }>

export type RefusalCode = keyof typeof refusals

/**
 * The one error that the product throws on purpose: a code of the table, with its own words where the table's are too
 * general.
 */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly title: string
  readonly description: string
  readonly details: unknown
  constructor(code: RefusalCode, words: { title?: string; description?: string; details?: unknown } = {}) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.title = words.title ?? refusals[code].title
    this.description = words.description ?? refusals[code].description
    this.details = words.details
  }
  get status(): number {
    return refusals[this.code].status
  }
}

/** Throws the refusal; its type is never, so that it can end an expression. */
export function refuse(code: RefusalCode, description?: string, details?: unknown): never {
  throw new Refusal(code, { ...(description && { description }), details })
}

/** Why an operation failed, in words for the user; `errors` are shown under the fields they name. */
export type Failed = {
  code: string
  title: string
  description: string
  errors?: Partial<Record<string, string>>
  details?: unknown
}

/** The result of an operation, which never throws (specification §7). */
export type Result<T> = { ok: true; value: T } | { ok: false; error: Failed }

/** A refusal as a result. */
export function failed({ code, title, description, details }: Refusal): Result<never> {
  const errors = errorsIn(details)
  return {
    ok: false,
    error: { code, title, description, ...(errors && { errors }), ...(details !== undefined && { details }) },
  }
}

/** The value of a store's operation; a failure is thrown as the Refusal that screens can show. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value
  const { code, title, description, details } = result.error
  throw new Refusal(code in refusals ? (code as RefusalCode) : 'unknown', { title, description, details })
}

function errorsIn(details: unknown): Failed['errors'] {
  if (typeof details !== 'object' || details === null || !('errors' in details)) return undefined
  return details.errors as Record<string, string>
}
