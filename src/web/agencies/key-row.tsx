import { apiScopes, type KeyState } from '../../domain/agencies/integrations.ts'
import { numericDate, relative } from '../../domain/shared/format.ts'
import type { Tone } from '../../domain/shared/state-machine.ts'
import type { ListedKey } from '../../server/integrations/public-api/keys.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

const states: Record<KeyState, { tone: Tone; label: string }> = {
  active: { tone: 'ok', label: 'Sirve' },
  expired: { tone: 'wait', label: 'Venció' },
  revoked: { tone: 'neutral', label: 'Revocada' },
}

/** One key, by the beginning that is kept of it. */
export function KeyRow({ listed, now }: { listed: ListedKey & { state: KeyState }; now: Date }) {
  const { tone, label } = states[listed.state]
  return (
    <li className="grid gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-semibold wrap-anywhere">{listed.name}</span>
        <code className="text-sm text-mute">{listed.prefix}…</code>
        <Badge tone={tone}>{label}</Badge>
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
  const made = `La hizo ${madeBy ?? 'la gerencia'} el ${numericDate(createdAt)}.`
  const used = lastUsedAt ? `Se usó ${relative(lastUsedAt, now)}.` : 'Nadie la ha usado.'
  const end = revokedAt
    ? `Se revocó el ${numericDate(revokedAt)}.`
    : expiresAt && `${expiresAt <= now ? 'Venció' : 'Vence'} el ${numericDate(expiresAt)}.`
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
