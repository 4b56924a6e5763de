import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Refusal, type RefusalCode } from '../../../domain/shared/refusal.ts'
import { databaseRefusal } from '../../platform/database/client.ts'

/** Every way the interface says no: a stable code for programs, HTTP status and words for people. */
export const problems = {
  invalid_request: {
    status: 400,
    title: 'La solicitud tiene datos que no podemos aceptar',
    detail: 'Corrige los campos que se indican en "errors" y vuelve a enviarla.',
  },
  key_missing: {
    status: 401,
    title: 'Falta la llave',
    detail: 'Envía tu llave en el encabezado Authorization, como Bearer.',
  },
  key_unknown: {
    status: 401,
    title: 'La llave no es válida',
    detail: 'No conocemos esa llave. Revisa que esté completa.',
  },
  key_revoked: {
    status: 401,
    title: 'La llave se revocó',
    detail: 'Pide a Carga en Casa una llave nueva.',
  },
  key_expired: {
    status: 401,
    title: 'La llave venció',
    detail: 'Pide a Carga en Casa una llave nueva.',
  },
  agency_inactive: {
    status: 401,
    title: 'La concesionaria está inactiva',
    detail: 'Mientras esté inactiva, sus llaves no dan acceso.',
  },
  scope_missing: {
    status: 403,
    title: 'La llave no tiene ese permiso',
    detail: 'Pide una llave con el permiso que esta operación necesita.',
  },
  not_found: {
    status: 404,
    title: 'No lo encontramos',
    detail: 'No existe, o no es de tu concesionaria.',
  },
  code_unusable: {
    status: 409,
    title: 'Ese código no se puede usar',
    detail: 'No existe, no es de tu concesionaria o no está activo. Consulta GET /codes.',
  },
  conflict: {
    status: 409,
    title: 'Ahora no se puede',
    detail: 'El estado de las cosas no lo permite. Revísalo antes de volver a intentar.',
  },
  body_too_large: {
    status: 413,
    title: 'La solicitud es demasiado grande',
    detail: 'El cuerpo puede medir hasta 64 kB.',
  },
  media_type: {
    status: 415,
    title: 'El cuerpo no es JSON',
    detail: 'Envía el cuerpo con Content-Type: application/json.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'La llave de idempotencia ya se usó con otros datos',
    detail: 'Usa una Idempotency-Key nueva para cada cliente.',
  },
  too_many_requests: {
    status: 429,
    title: 'Demasiadas solicitudes',
    detail: 'Espera los segundos que dice Retry-After.',
  },
  internal: {
    status: 500,
    title: 'Error interno',
    detail: 'Fue nuestra culpa y ya quedó registrado. Vuelve a intentarlo en un momento.',
  },
  unavailable: {
    status: 503,
    title: 'Servicio no disponible',
    detail: 'Estamos teniendo problemas. Vuelve a intentarlo en unos segundos.',
  },
} as const satisfies Record<string, { status: ContentfulStatusCode; title: string; detail: string }>

export type ProblemCode = keyof typeof problems
type FieldError = { field: string; message: string }

/** What a request is refused with, thrown on purpose. */
export class ApiProblem extends Error {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors: readonly FieldError[]
  /** Seconds until it may be tried again, where there is no use before. */
  readonly waits: number | undefined
  constructor(code: ProblemCode, detail?: string, errors: readonly FieldError[] = [], waits?: number) {
    super(code)
    this.name = 'Problem'
    this.code = code
    this.detail = detail ?? problems[code].detail
    this.errors = errors
    this.waits = waits
  }
}

/** Where the page of the interface explains a code. */
const problemAddress = (baseUrl: string, code: ProblemCode) => `${baseUrl}/api/v1#problema-${code}`

/** The answer, as RFC 9457 has it. */
export function answerProblem(
  c: Context,
  { code, detail, errors, waits }: ApiProblem,
  baseUrl: string,
): Response {
  const { status, title } = problems[code]
  const body = {
    type: problemAddress(baseUrl, code),
    title,
    status,
    detail,
    code,
    ...(errors.length > 0 && { errors }),
    requestId: c.get('requestId') as string,
  }
  if (waits !== undefined) c.header('retry-after', String(waits))
  if (status === 401) c.header('www-authenticate', 'Bearer')
  return c.body(JSON.stringify(body), status, { 'content-type': 'application/problem+json; charset=utf-8' })
}

/** What the product's refusals are called here; of one that is not among them no one outside can make anything. */
const meanings: Partial<Record<RefusalCode, ProblemCode>> = {
  'invalid-argument': 'invalid_request',
  'out-of-range': 'invalid_request',
  'not-found': 'not_found',
  'already-exists': 'conflict',
  'failed-precondition': 'conflict',
  'resource-exhausted': 'too_many_requests',
  aborted: 'unavailable',
  unavailable: 'unavailable',
  'deadline-exceeded': 'unavailable',
}
const ofStatus: Record<number, ProblemCode> = {
  400: 'invalid_request',
  413: 'body_too_large',
  415: 'media_type',
}

/** The problem that an error means to the caller; null where it is an internal error. */
export function apiProblemOf(error: unknown): ApiProblem | null {
  if (error instanceof ApiProblem) return error
  if (error instanceof HTTPException) return ofHttp(error)
  const refusal = error instanceof Refusal ? error : databaseRefusal(error)
  const code = refusal && meanings[refusal.code]
  if (!code) return null
  if (code === 'unavailable') return new ApiProblem(code)
  const { waits } = (refusal.details ?? {}) as { waits?: number }
  return new ApiProblem(code, refusal.description, [], waits)
}

function ofHttp({ status }: HTTPException): ApiProblem | null {
  const code = ofStatus[status]
  if (!code) return null
  return code === 'invalid_request'
    ? new ApiProblem(code, 'El cuerpo no es JSON válido.')
    : new ApiProblem(code)
}

type Issue = { path: readonly PropertyKey[]; message: string }

/** Wrong fields, each by its path ("vehicle.year"). */
export const invalidFields = (issues: readonly Issue[]) =>
  new ApiProblem(
    'invalid_request',
    undefined,
    issues.map(({ path, message }) => ({ field: path.map(String).join('.'), message })),
  )
