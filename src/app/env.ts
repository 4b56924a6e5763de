import path from 'node:path'
import { z } from 'zod'
import { en, es } from 'zod/locales'
import { type Module, modules } from '../access/rules/routes.ts'
import { cardsOf, stripeVariables } from '../integrations/stripe/stripe-env.ts'
import { whatsappOf, whatsappVariables } from '../notifications/schema.ts'
import { loadLimitsOf, loadShedderVariables } from '../platform/http/load-env.ts'
import { isLocal, isLoopback } from '../platform/http/security.ts'
import { storageOf, storageVariables } from '../platform/storage/storage-env.ts'
import { telemetryOf, telemetryVariables } from '../platform/telemetry/telemetry-env.ts'
import { withoutTail } from '../shared/text.ts'

/** A list of addresses as RTCPeerConnection takes them (RFC 7064 and 7065): it throws at any other. */
const addresses = (form: RegExp, words: string) =>
  z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.string().regex(form, words)))
    .default([])

const host = String.raw`(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?`
const stun = new RegExp(`^stuns?:${host}$`, 'i')
const turn = new RegExp(String.raw`^turns?:${host}(\?transport=(udp|tcp))?$`, 'i')

/** The environment variables of call connections. */
const iceVariables = {
  STUN_URLS: addresses(stun, 'must look like stun:stun.example.com:3478'),
  TURN_URLS: addresses(turn, 'must look like turn:turn.example.com:3478?transport=udp'),
  TURN_SECRET: z.string().min(16).optional(),
  TURN_TTL_MINUTES: z.coerce.number().int().min(10).max(1440).default(120),
}

type Values = z.output<z.ZodObject<typeof iceVariables>> & { CALL_RELAY_ONLY: boolean }

/** The same, checked together; `relay` is null where there is none. */
function iceOf(env: Values) {
  const { TURN_SECRET: secret, TURN_URLS: urls } = env
  if (Boolean(secret) !== urls.length > 0)
    throw new Error('The relay of video calls needs TURN_URLS and TURN_SECRET together.')
  if (env.CALL_RELAY_ONLY && !secret)
    throw new Error('CALL_RELAY_ONLY needs a relay: set TURN_URLS and TURN_SECRET.')
  return {
    stun: env.STUN_URLS,
    relay: secret ? { urls, secret, ttlMinutes: env.TURN_TTL_MINUTES } : null,
    relayOnly: env.CALL_RELAY_ONLY,
  }
}

/** The environment variables of the street map under the board's own: a template of raster tiles, and whom it is owed to. */
const tilesVariables = {
  TILES_URL: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => ['{z}', '{x}', '{y}'].every((part) => url.includes(part)) && !url.split('/')[2]?.includes('{'),
      'must look like https://tiles.example.com/{z}/{x}/{y}.png',
    )
    .optional(),
  TILES_ATTRIBUTION: z.string().trim().min(1).max(200).optional(),
}

/** The same, with the origin that pages may ask; null where there are no tiles. */
function tilesOf({
  TILES_ATTRIBUTION: attribution,
  TILES_URL: url,
}: z.output<z.ZodObject<typeof tilesVariables>>) {
  if (!url && attribution) throw new Error('TILES_ATTRIBUTION is only used with TILES_URL.')
  return url ? { url, attribution: attribution ?? null, origin: new URL(url).origin } : null
}

/** The environment variable of road times: where an OSRM's table service answers. */
const routingVariables = {
  ROUTING_URL: z
    .url({ protocol: /^https?$/ })
    .refine((address) => !/[?#]/.test(address), 'must look like https://osrm.example.com')
    .optional(),
}

/** The environment variables of backups. */
const backupVariables = {
  /** By default `backups` in DATA_DIR. */
  BACKUP_DIR: z.string().trim().min(1).optional(),
  /** How many backups are kept; older ones are removed after a new one is complete. */
  BACKUP_KEEP: z.coerce.number().int().min(1).max(1000).default(14),
  /** Encrypts the key that a backup includes; without it the key is stored separately. */
  BACKUP_PASSPHRASE: z.string().min(16).optional(),
  /** Folder with pg_dump and pg_restore, for a database of DATABASE_URL. */
  PG_BIN: z.string().trim().min(1).optional(),
}

const address = z.url({ protocol: /^postgres(ql)?$/ })

const databaseVariables = {
  DATABASE_URL: address.optional(),
  /** Connections a process may open: one of them listens all the time. */
  DATABASE_POOL: z.coerce.number().int().min(4).max(200).default(16),
  /** `transaction`: DATABASE_URL leads to a pooler that assigns a connection for each transaction. */
  DATABASE_POOLING: z.enum(['session', 'transaction']).default('session'),
  /** The same database without that pooler. */
  DATABASE_DIRECT_URL: address.optional(),
  /** A streaming replica of that database, which the office's lists, figures and exports are read from. */
  DATABASE_REPLICA_URL: address.optional(),
}

type Given = {
  DATABASE_URL?: string | undefined
  DATABASE_DIRECT_URL?: string | undefined
  DATABASE_REPLICA_URL?: string | undefined
  DATABASE_POOLING: 'session' | 'transaction'
}

/** `direct` bypasses the pooler, where there is one; `sessions` is a URL whose connections keep their session. */
type External = { url: string; direct: string | null; sessions: string; replica: string | null }

/** The external database; null for the embedded one. */
function databaseOf(given: Given): External | null {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, DATABASE_REPLICA_URL: replica } = given
  const pooled = given.DATABASE_POOLING === 'transaction'
  if (pooled && !(url && direct))
    throw new Error(
      'DATABASE_POOLING=transaction needs DATABASE_URL (the pooler) and DATABASE_DIRECT_URL (the server itself).',
    )
  if (direct && !pooled)
    throw new Error('DATABASE_DIRECT_URL is only used with DATABASE_POOLING=transaction.')
  if (replica && !url) throw new Error('DATABASE_REPLICA_URL is only used with DATABASE_URL.')
  return url ? { url, direct: direct ?? null, sessions: direct ?? url, replica: replica ?? null } : null
}

// Forms answer in Spanish, also where a rule has no message of its own; the environment answers in English.
z.config(es())

/** A reserved placeholder, until the operator sets their own. */
export const placeholder = 'cargaencasa.example'

const text = (fallback: string) => z.string().trim().min(1).default(fallback)
const url = (fallback: string) => z.url({ protocol: /^https?$/ }).default(fallback)
const flag = z
  .enum(['true', 'false', '1', '0', ''])
  .default('false')
  .transform((value) => value === 'true' || value === '1')

/** How many proxies precede us, each of which appends the address of its client. */
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
  /** Web processes on the one port, read by main.ts; by default one for each core but one. */
  WEB_PROCESSES: z.coerce.number().int().min(1).max(64).optional(),
  /** The wait between "not ready" and the first refused connection, for a proxy that polls /readyz. */
  DRAIN_DELAY_MS: z.coerce.number().int().min(0).max(60_000).default(0),
  AUTH_SECRET: z.string().min(32).optional(),
  TRUST_PROXY: hops,
  /** Origins whose pages may sign people in; by default BASE_URL's. */
  ALLOWED_ORIGINS: origins.optional(),
  /** A path of this origin that receives sign-ins and sign-outs. */
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
  /** Whether Stripe's page offers months without interest. */
  CARD_MSI: flag,
  /** Whether calls always use the relay: neither side learns the other's address. */
  CALL_RELAY_ONLY: flag,
  REQUIRE_2FA: flag,
  /** Parts of the product that the specification lists as disabled: gesties, clients, payments. */
  MODULES: moduleList.default(new Set()),
  /** The key of Facturapi, which then stamps invoices automatically. */
  FACTURAPI_KEY: z.string().min(1).optional(),
  FACTURAPI_URL: url('https://www.facturapi.io/v2'),
  /** Also sends agencies' events to this machine and its network, and without https: for testing. */
  WEBHOOK_ALLOW_PRIVATE: flag,
  ...backupVariables,
  ...tilesVariables,
  ...routingVariables,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .transform(demandingTls)
    .optional(),
  /** E-mails sent at once: each has a connection. */
  SMTP_AT_ONCE: z.coerce.number().int().min(1).max(50).default(8),
  /** Where the provider limits them. */
  SMTP_PER_SECOND: z.coerce.number().int().min(1).optional(),
  MAIL_FROM: text('Carga en Casa <citas@cargaencasa.example>'),
  BRAND: text('Carga en Casa'),
  LEGAL_LINE: text('Carga en Casa. Todos los derechos reservados.'),
  PRIVACY_URL: url(`https://${placeholder}/aviso-de-privacidad`),
  TERMS_URL: url(`https://${placeholder}/terminos-y-condiciones`),
  TERMS_VERSION: text('2025-01'),
})

/** A password goes to another machine under TLS only. The library reads the setting from the address. */
function demandingTls(address: string): string {
  const url = new URL(address)
  if (url.protocol === 'smtp:' && url.password && !isLoopback(url.hostname))
    url.searchParams.set('requireTLS', 'true')
  return url.href
}

/** The operator's data on public pages. */
export type Site = {
  brand: string
  legalLine: string
  privacyUrl: string
  termsUrl: string
  /** Passkeys belong to it. */
  host: string
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
  // The demo world must not meet real users or their data, unless the operator asks for it by name: listening on this
  // machine alone protects nothing where a proxy of this machine forwards requests.
  const demo = env.DEMO ?? (!env.DATABASE_URL && env.NODE_ENV !== 'production' && isLocal(baseUrl))
  return {
    ...env,
    demo,
    provider,
    /** The external PostgreSQL; null for the embedded one. */
    external: databaseOf(env),
    ice: iceOf(env),
    storage: storageOf(env),
    /** The service that stamps invoices; null where people do it elsewhere. */
    stamper: env.FACTURAPI_KEY ? { key: env.FACTURAPI_KEY, url: withoutTail(env.FACTURAPI_URL, '/') } : null,
    cards: cardsOf(env),
    whatsapp: whatsappOf(env),
    tiles: tilesOf(env),
    /** The service of road times; null where districts' travel times serve. */
    routing: env.ROUTING_URL ? withoutTail(env.ROUTING_URL, '/') : null,
    loadLimits: loadLimitsOf(env),
    telemetry: telemetryOf(env),
    // Its passwords are public, so without that explicit setting it is not offered to the network.
    host: demo && env.DEMO === undefined ? '127.0.0.1' : env.HOST,
    dataDir: path.resolve(env.DATA_DIR),
    baseUrl,
    allowedOrigins,
    /**
     * The host names that we answer to besides this machine's own; null where BASE_URL is set, and a proxy checks the
     * names.
     */
    hosts: env.BASE_URL === undefined ? allowedOrigins.map((origin) => new URL(origin).host) : null,
    /** Our address is not set: any name of this machine in a request is accepted. */
    anyHost: env.BASE_URL === undefined && env.ALLOWED_ORIGINS === undefined,
  }
}
