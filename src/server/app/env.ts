import path from 'node:path'
import { z } from 'zod'
import { en, es } from 'zod/locales'
import { type Module, modules } from '../../domain/access/routes.ts'
import { withoutTail } from '../../domain/shared/text.ts'
import { iceOf, iceVariables } from '../calls/ice-env.ts'
import { cardsOf, stripeVariables } from '../integrations/stripe/stripe-env.ts'
import { whatsappOf, whatsappVariables } from '../notifications/schema.ts'
import { backupVariables } from '../platform/backup/backup-env.ts'
import { databaseOf, databaseVariables } from '../platform/database/env.ts'
import { loadLimitsOf, loadShedderVariables } from '../platform/http/load-shedding.ts'
import { storageOf, storageVariables } from '../platform/storage/drive.ts'
import { telemetryOf, telemetryVariables } from '../platform/telemetry/telemetry-env.ts'
import { isLocal } from './stop.ts'

// Forms answer in Spanish, also where a rule has no message of its own; the environment answers in English.
z.config(es())

/** Nobody's, for as long as no house said its own. */
export const placeholder = 'cargaencasa.example'

const text = (fallback: string) => z.string().trim().min(1).default(fallback)
const url = (fallback: string) => z.url({ protocol: /^https?$/ }).default(fallback)
const flag = z
  .enum(['true', 'false', '1', '0', ''])
  .default('false')
  .transform((value) => value === 'true' || value === '1')

/** How many proxies stand before us, each of which writes down whom it was asked by. */
const hops = z
  .string()
  .default('false')
  .transform((value) => (value === 'true' ? '1' : value === 'false' ? '0' : value))
  .pipe(z.string().regex(/^(\d|10)$/, 'must be true, false or the number of proxies in front, at most 10'))
  .transform(Number)

const origins = z
  .string()
  .transform((list) => list.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin)).min(1))

const moduleList = z
  .string()
  .transform((list) => list.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(z.enum(modules)))
  .transform((named): ReadonlySet<Module> => new Set(named))

const schema = z.object({
  NODE_ENV: z.string().default(''),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: text('127.0.0.1'),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: text('data'),
  ...databaseVariables,
  DEMO: z
    .enum(['true', 'false', '1', '0'])
    .transform((value) => value === 'true' || value === '1')
    .optional(),
  ROLE: z.enum(['web', 'worker', 'all']).default('all'),
  /** Between "not ready" and the first refused connection, for a proxy that asks /readyz now and then. */
  DRAIN_DELAY_MS: z.coerce.number().int().min(0).max(60_000).default(0),
  AUTH_SECRET: z.string().min(32).optional(),
  TRUST_PROXY: hops,
  /** Origins whose pages may sign people in; by default BASE_URL's. */
  ALLOWED_ORIGINS: origins.optional(),
  /** A path of this origin that hears of sign-ins and sign-outs. */
  AUTH_SYNC_PATH: z
    .string()
    .regex(/^\/(?!\/)\S*$/, 'must be a path of this origin, such as /sync')
    .optional(),
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_LABEL: text('Google'),
  ...iceVariables,
  ...storageVariables,
  ...stripeVariables,
  ...whatsappVariables,
  ...loadShedderVariables,
  ...telemetryVariables,
  /** Months without interest are offered at Stripe's page. */
  CARD_MSI: flag,
  /** Calls never go directly: nobody learns the other side's address. */
  CALL_RELAY_ONLY: flag,
  REQUIRE_2FA: flag,
  /** Parts of the product that the specification lists as disabled: gesties, clients, payments. */
  MODULES: moduleList.default(new Set()),
  /** Of Facturapi, which then stamps invoices by itself. */
  FACTURAPI_KEY: z.string().min(1).optional(),
  FACTURAPI_URL: url('https://www.facturapi.io/v2'),
  /** Also sends agencies' events to this machine and its network, and without https: for trying them out. */
  WEBHOOK_ALLOW_PRIVATE: flag,
  ...backupVariables,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: text('Carga en Casa <citas@cargaencasa.example>'),
  BRAND: text('Carga en Casa'),
  LEGAL_LINE: text('Carga en Casa. Todos los derechos reservados.'),
  PRIVACY_URL: url(`https://${placeholder}/aviso-de-privacidad`),
  TERMS_URL: url(`https://${placeholder}/terminos-y-condiciones`),
  TERMS_VERSION: text('2025-01'),
})

/** What public pages show of the operator. */
export type Site = {
  brand: string
  legalLine: string
  privacyUrl: string
  termsUrl: string
  /** The demo world's sign-ins, shown at /signin; null outside the demo. */
  demo: readonly { email: string; label: string }[] | null
  /** The parts of the product that are switched on. */
  modules: readonly Module[]
}

export type Env = ReturnType<typeof parseEnv>

/** The environment, once; throws one line that names every wrong variable and what it should be. */
export function parseEnv(source: Record<string, string | undefined>) {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = schema.safeParse(given, { error: en().localeError })
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.message})`)
    throw new Error(`Invalid environment variables: ${wrong.join('; ')}`)
  }
  const env = parsed.data
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env
  const provider =
    issuer && clientId && clientSecret ? { issuer, clientId, clientSecret, label: env.OIDC_LABEL } : null
  if (!provider && (issuer || clientId || clientSecret))
    throw new Error(
      'Sign-in with a provider needs OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET together.',
    )
  const baseUrl = withoutTail(env.BASE_URL ?? `http://localhost:${env.PORT}`, '/')
  const allowedOrigins = env.ALLOWED_ORIGINS ?? [new URL(baseUrl).origin]
  if (!allowedOrigins.includes(new URL(baseUrl).origin))
    throw new Error(`ALLOWED_ORIGINS must include the origin of BASE_URL: ${new URL(baseUrl).origin}`)
  // The demo world never meets real people, nor their data, unless somebody asks for it by name: listening on this machine
  // alone protects nothing where a proxy of this machine asks.
  const demo = env.DEMO ?? (!env.DATABASE_URL && env.NODE_ENV !== 'production' && isLocal(baseUrl))
  return {
    ...env,
    demo,
    provider,
    /** Somebody else's PostgreSQL; null for the embedded one. */
    external: databaseOf(env),
    ice: iceOf(env),
    storage: storageOf(env),
    /** Who stamps invoices; null where people do, elsewhere. */
    stamper: env.FACTURAPI_KEY ? { key: env.FACTURAPI_KEY, url: withoutTail(env.FACTURAPI_URL, '/') } : null,
    cards: cardsOf(env),
    whatsapp: whatsappOf(env),
    loadLimits: loadLimitsOf(env),
    telemetry: telemetryOf(env),
    // Its passwords are public, so without that explicit wish it is not offered to the network.
    host: demo && env.DEMO === undefined ? '127.0.0.1' : env.HOST,
    dataDir: path.resolve(env.DATA_DIR),
    baseUrl,
    allowedOrigins,
    /** The names that we answer to besides this machine's own; null where BASE_URL says who we are, and a proxy by which names. */
    hosts: env.BASE_URL === undefined ? allowedOrigins.map((origin) => new URL(origin).host) : null,
    /** Nobody said at what address we are: whatever name of this machine a page asks us by is ours. */
    anyHost: env.BASE_URL === undefined && env.ALLOWED_ORIGINS === undefined,
  }
}
