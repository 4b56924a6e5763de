import type { Actor } from '../../domain/access/actor.ts'
import { formatPhone } from '../../domain/shared/format.ts'
import { accessRefusal, type User } from '../../domain/users/user.ts'
import type { PersonStatus } from '../../server/users/queries.ts'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { FormDetails } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type CorrectionFormProps = { person: User; edit: PersonEdit }

/** What the manager corrects of how somebody is called and reached. */
export function CorrectionForm({ person, edit }: CorrectionFormProps) {
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
      {person.name && <Words person={person} name={person.name} />}
      {edit.own ? (
        <p className="text-sm text-mute">Tu correo se cambia en «Mi cuenta», con tu contraseña.</p>
      ) : (
        <Mailbox version={person.version} proved={edit.emailVerified} />
      )}
    </Card>
  )
}

type WordsProps = { person: User; name: string }

function Words({ person: { lastname, phone, version }, name }: WordsProps) {
  return (
    <FormDetails summary="Nombre y teléfono" intent="correct-profile">
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
    </FormDetails>
  )
}

type MailboxProps = { version: number; proved: boolean }

function Mailbox({ version, proved }: MailboxProps) {
  return (
    <FormDetails summary="Correo" intent="correct-email">
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
    </FormDetails>
  )
}

/** What the manager may change of somebody now, and why not what they may not. */
export function personEditOf(actor: Actor, person: User, standing: PersonStatus) {
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

export type PersonEdit = ReturnType<typeof personEditOf>
