import type { ListedKey } from '../../integrations/public-api/keys.ts'
import { Checkbox, Field, Select } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { relative, shortDate } from '../../shared/format.ts'
import type { Tone } from '../../shared/state-machine.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { apiScopes, type KeyState, keyLives, scopeNames } from '../rules/integrations.ts'

type ShownKey = ListedKey & { state: KeyState }
type AgencyKeysProps = {
  /** Whether the agency is. */
  isActive: boolean
  serving: readonly ShownKey[]
  ended: readonly ShownKey[]
  now: Date
  /** Of the key that was just made. */
  secret: string | null
}

/** The keys of a dealership's own system: making one, seeing which serve and when they were used, revoking. */
export function AgencyKeys({ isActive, serving, ended, now, secret }: AgencyKeysProps) {
  const isMaking = useFormResult('keys.make') !== undefined
  return (
    <Card title="Llaves de la API" aside={<Documentation />}>
      <p className="text-[0.9375rem] text-mute">
        Con una llave, el sistema de la concesionaria registra a sus clientes y consulta en qué van. No abre
        nada más.
      </p>
      {secret && (
        <ShownSecret title="Esta es su llave" secret={secret}>
          Guárdala ahora donde se guardan las contraseñas: no la volvemos a mostrar.
        </ShownSecret>
      )}
      <Keys keys={serving} now={now} />
      {isActive ? (
        <Details summary="Nueva llave" open={serving.length === 0 || isMaking}>
          {/* Emptied once its key is in the list. */}
          <NewKey key={serving.length} />
        </Details>
      ) : (
        <p>La concesionaria está inactiva: mientras tanto, sus llaves no dan acceso.</p>
      )}
      {ended.length > 0 && (
        <Details summary={ended.length === 1 ? '1 que ya no sirve' : `${ended.length} que ya no sirven`}>
          <Keys keys={ended} now={now} />
        </Details>
      )}
    </Card>
  )
}

/** Outside the layout of the office's screens, and so a page of its own. */
const Documentation = () => (
  <Link
    to="/api/v1"
    reloadDocument
    className="inline-flex min-h-11 items-center font-semibold text-brand underline underline-offset-2"
  >
    Documentación
  </Link>
)

function Keys({ keys, now }: Pick<AgencyKeysProps, 'now'> & { keys: AgencyKeysProps['serving'] }) {
  if (keys.length === 0) return null
  return (
    <ul className="grid divide-y divide-line">
      {keys.map((key) => (
        <KeyRow key={key.id} listed={key} now={now} />
      ))}
    </ul>
  )
}

const lives = Object.entries(keyLives).map(([value, label]) => ({ value, label }))

/** The form of a key: what it is for, what it opens, and how long. */
function NewKey() {
  return (
    <Form intent="keys.make">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Para qué sistema"
          name="name"
          autoComplete="off"
          maxLength={80}
          placeholder="CRM de ventas"
        />
        <Select label="Cuánto dura" name="life" options={lives} defaultValue="year" />
      </div>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-semibold">Qué permite</legend>
        {scopeNames.map((scope) => (
          <Checkbox key={scope} label={apiScopes[scope]} name={scope} defaultChecked />
        ))}
      </fieldset>
      <Checkbox
        label="Es de prueba"
        name="sandbox"
        help="Revisa cada solicitud y contesta con ejemplos. No guarda ni envía nada, y no ve a tus clientes."
      />
      <div>
        <Submit>Crear llave</Submit>
      </div>
    </Form>
  )
}

const states: Record<KeyState, { tone: Tone; label: string }> = {
  active: { tone: 'ok', label: 'Activa' },
  expired: { tone: 'wait', label: 'Venció' },
  revoked: { tone: 'neutral', label: 'Revocada' },
}

/** One key, by its stored prefix. */
function KeyRow({ listed, now }: { listed: ShownKey; now: Date }) {
  const { tone, label } = states[listed.state]
  return (
    <li className="grid gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-semibold wrap-anywhere">{listed.name}</span>
        <code className="text-sm text-mute">{listed.prefix}…</code>
        <Badge tone={tone}>{label}</Badge>
        {listed.sandbox && <Badge tone="info">Prueba</Badge>}
      </div>
      <p className="text-[0.9375rem] text-mute">
        {listed.scopes.map((scope) => apiScopes[scope]).join(' · ')}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-mute">{lifeOf(listed, now)}</p>
        {listed.state === 'active' && <Revoke listed={listed} />}
      </div>
    </li>
  )
}

function lifeOf({ createdAt, expiresAt, lastUsedAt, madeBy, revokedAt }: ListedKey, now: Date): string {
  const made = `Creada por ${madeBy ?? 'la gerencia'} el ${shortDate(createdAt)}.`
  const used = lastUsedAt ? `Se usó ${relative(lastUsedAt, now)}.` : 'Nadie la ha usado.'
  const end = revokedAt
    ? `Se revocó el ${shortDate(revokedAt)}.`
    : expiresAt && `${expiresAt <= now ? 'Venció' : 'Vence'} el ${shortDate(expiresAt)}.`
  return [made, used, end].filter(Boolean).join(' ')
}

function Revoke({ listed: { id, name } }: { listed: ListedKey }) {
  return (
    <Dialog
      trigger="Revocar"
      variant="ghost"
      title={`¿Revocar la llave de ${name}?`}
      description="El sistema que la usa deja de entrar en este momento, y no se puede deshacer."
    >
      <Form intent="keys.revoke" target={{ keyId: id }}>
        <Submit variant="destructive">Sí, revocar</Submit>
      </Form>
    </Dialog>
  )
}

/** A secret in the only answer that ever carries it. */
export const ShownSecret = ({
  title,
  secret,
  children,
}: {
  title: string
  secret: string
  children: string
}) => (
  <Alert tone="ok" title={title} actions={<CopyButton text={secret} label="Copiar" />}>
    <div role="status" className="grid gap-2">
      <p>{children}</p>
      <code className="rounded-control border border-line bg-card px-3 py-2 text-sm break-all select-all">
        {secret}
      </code>
    </div>
  </Alert>
)
