import type { Actor } from '../../domain/access/actor.ts'
import { formatPhone } from '../../domain/shared/format.ts'
import { accessRefusal, type User } from '../../domain/users/user.ts'
import type { Standing } from '../../server/users/history.ts'
import type { Failure } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type CorrectionFormProps = {
  person: User
  edit: PersonEdit
  heard: (intent: string) => Failure | undefined
}

/** What the manager corrects of how somebody is called and reached. */
export function CorrectionForm({ person, edit, heard }: CorrectionFormProps) {
  return (
    <Card title="Corregir datos">
      {edit.takenOver && (
        <Alert tone="wait" title="Nadie ha confirmado su correo">
          La cuenta puede ser de alguien más. Al guardar cerramos sus sesiones, su contraseña deja de servir y
          mandamos a su correo la carta para reclamarla.
        </Alert>
      )}
      {edit.nextEmail && (
        <Alert tone="info" title="Falta que confirme su correo nuevo">
          Le mandamos un enlace a <span className="wrap-anywhere">{edit.nextEmail}</span>.
        </Alert>
      )}
      {person.name && <Words person={person} name={person.name} result={heard('correct-profile')} />}
      {edit.own ? (
        <p className="text-sm text-mute">Tu correo se cambia en «Mi cuenta», con tu contraseña.</p>
      ) : (
        <Mailbox version={person.version} proved={edit.emailVerified} result={heard('correct-email')} />
      )}
    </Card>
  )
}

type WordsProps = { person: User; name: string; result: Failure | undefined }

function Words({ person: { lastname, phone, version }, name, result }: WordsProps) {
  return (
    <Details summary="Nombre y teléfono" open={result !== undefined}>
      <Form result={result}>
        <input type="hidden" name="intent" value="correct-profile" />
        <input type="hidden" name="version" value={version} />
        <Field label="Nombre" name="name" autoComplete="off" defaultValue={name} />
        <Field label="Apellidos" name="lastname" autoComplete="off" defaultValue={lastname ?? ''} />
        <Field
          label="Teléfono"
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          defaultValue={phone ? formatPhone(phone) : ''}
        />
        <Submit className="sm:justify-self-start">Guardar datos</Submit>
      </Form>
    </Details>
  )
}

type MailboxProps = { version: number; proved: boolean; result: Failure | undefined }

function Mailbox({ version, proved, result }: MailboxProps) {
  return (
    <Details summary="Correo" open={result !== undefined}>
      <Form result={result}>
        <input type="hidden" name="intent" value="correct-email" />
        <input type="hidden" name="version" value={version} />
        <Field
          label="Correo nuevo"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="off"
          help={
            proved
              ? 'Cambia cuando abra el enlace que le mandamos. Avisamos también a su correo de ahora.'
              : 'Cambia de inmediato, y le mandamos la carta para elegir su contraseña.'
          }
        />
        <Submit className="sm:justify-self-start">Cambiar su correo</Submit>
      </Form>
    </Details>
  )
}

/** What the manager may change of somebody now, and why not what they may not. */
export function editOf(actor: Actor, person: User, standing: Standing) {
  const { role, kind, agency: agencyId, active } = person
  const before = { role, kind, agencyId, active }
  const facts = { ...standing, before, agencyActive: true, own: person.uid === actor.id, confirmed: true }
  const otherRole =
    role === 'customer'
      ? { ...before, role: 'staff' as const, kind: 'analyst' as const }
      : { ...before, role: 'customer' as const, kind: null, agencyId: null }
  const whyNot = (after: typeof before) => accessRefusal({ ...facts, after })?.description ?? null
  return {
    own: facts.own,
    emailVerified: standing.emailVerified,
    twoFactor: standing.twoFactor,
    nextEmail: standing.nextEmail,
    takenOver: standing.takenOver,
    roleBarred: whyNot(otherRole),
    activeBarred: whyNot({ ...before, active: false }),
  }
}

export type PersonEdit = ReturnType<typeof editOf>
