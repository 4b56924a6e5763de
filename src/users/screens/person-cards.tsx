import { type Actor, isCustomer } from '../../access/rules/actor.ts'
import type { Attribution } from '../../agencies/attributions.ts'
import { clientSources, endingInWords } from '../../agencies/rules/clients.ts'
import { Checkbox, Field, type OptionGroup, Select } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit } from '../../kit/form/form.tsx'
import { dateTime, formatPhone, shortDate } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import type { PersonStatus } from '../queries.ts'
import { accessRefusal, type User } from '../rules/user.ts'
import { AffectedAppointments } from './affected.tsx'

type ActiveFormProps = {
  version: number
  active: boolean
  own: boolean
  /** Whether appointments are given to them. */
  performs: boolean
  /** Why it can't be deactivated now. */
  barred: string | null
}

/** Whether the person may sign in at all. */
export function ActiveForm({ version, active, own, performs, barred }: ActiveFormProps) {
  return (
    <Card title="Acceso">
      <p className="text-mute">
        {active
          ? 'Su cuenta está activa. Al desactivarla se cierran sus sesiones y ya no puede entrar; su historial se conserva.'
          : 'Su cuenta está inactiva: no puede entrar ni recibir citas.'}
      </p>
      {active && !barred && (
        <p className="text-mute">
          Puedes deshacerlo: al activarla otra vez entra con su contraseña de siempre.
          {performs &&
            ' Antes eliges quién se queda con sus citas; ese cambio se avisa al momento y no regresa solo.'}
        </p>
      )}
      {active && barred ? (
        <p>{barred}</p>
      ) : (
        <Form intent="active">
          <input type="hidden" name="version" value={version} />
          <input type="hidden" name="active" value={active ? 'no' : 'yes'} />
          {own && <Checkbox label="Entiendo que pierdo el acceso a mi cuenta" name="confirmed" value="yes" />}
          <AffectedAppointments />
          <Submit variant={active ? 'destructive' : 'primary'} className="sm:justify-self-start">
            {active ? 'Desactivar cuenta' : 'Activar cuenta'}
          </Submit>
        </Form>
      )}
    </Card>
  )
}

type DataReadsCardProps = { reads: readonly { id: number; at: Date; what: string; who: string }[] }

/** Which staff read a customer's fiscal data and invoices, and when. */
export function DataReadsCard({ reads }: DataReadsCardProps) {
  return (
    <Card title="Quién leyó sus datos fiscales">
      {reads.length === 0 ? (
        <p className="text-mute">Nadie del equipo los ha leído.</p>
      ) : (
        <>
          <p className="text-[0.9375rem] text-mute">
            Las últimas 50 lecturas, las repetidas en diez minutos como una. La persona también las ve en «Mis
            datos», por puesto.
          </p>
          <Timeline
            items={reads.map(({ at, id, what, who }) => ({
              key: id,
              title: what,
              note: `${dateTime(at)} · ${who}`,
            }))}
          />
        </>
      )}
    </Card>
  )
}

type Ally = { id: string; agency: string; name: string }
type AttributionCardProps = {
  /** Every attribution, the latest first. */
  attributions: readonly Attribution[]
  allies: readonly Ally[]
}

/** The agency that brought a customer, and its ally, for the manager to set. */
export function AttributionCard({ allies, attributions }: AttributionCardProps) {
  const living = attributions.find(({ endedAt }) => endedAt === null)
  const former = attributions.filter(({ endedAt }) => endedAt !== null)
  const seen = <input type="hidden" name="seen" value={living?.id ?? ''} />
  return (
    <Card title="Concesionaria">
      {living ? <Tie tie={living} /> : <p>No viene de ninguna concesionaria.</p>}
      <FormDetails summary={living ? 'Cambiar' : 'Atribuir a un aliado'} intent="attribution.give">
        {seen}
        <Select
          label="Aliado"
          name="allyId"
          placeholder="Elige a un aliado"
          options={byAgency(allies)}
          defaultValue={living?.allyId}
        />
        <Field label="¿Por qué?" name="reason" maxLength={200} help="Queda en su historial." />
        <Submit className="sm:justify-self-start">Guardar concesionaria</Submit>
      </FormDetails>
      {living && (
        <FormDetails summary="Quitar" intent="attribution.end">
          {seen}
          <p className="text-[0.9375rem] text-mute">
            Su proyecto abierto deja de ser de la concesionaria y ya no genera comisión. Lo que se le envió
            con su descuento sigue en pie.
          </p>
          <Field label="¿Por qué?" name="reason" maxLength={200} />
          <Submit variant="destructive" className="sm:justify-self-start">
            Quitar concesionaria
          </Submit>
        </FormDetails>
      )}
      {former.length > 0 && (
        <Details summary="Antes">
          {former.map((tie) => (
            <Tie key={tie.id} tie={tie} />
          ))}
        </Details>
      )}
    </Card>
  )
}

function Tie({ tie }: { tie: Attribution }) {
  const { agency, ally, by, code, endedAt, endedReason, joinedAt, reason, source } = tie
  const how = [clientSources[source], code && `código ${code}`, by && `por ${by}`].filter(Boolean).join(' · ')
  return (
    <div className="grid gap-0.5">
      <p className="font-medium">
        {agency.name}
        {ally && <span className="font-normal"> · {ally}</span>}
      </p>
      <p className="text-sm text-mute">
        {how} · {shortDate(joinedAt)}
        {endedAt && ` a ${shortDate(endedAt)}`}
      </p>
      {reason && <p className="text-[0.9375rem]">{reason}</p>}
      {endedReason && <p className="text-sm text-mute">Terminó: {endingInWords(endedReason)}</p>}
    </div>
  )
}

const byAgency = (allies: readonly Ally[]): OptionGroup[] =>
  [...Map.groupBy(allies, ({ agency }) => agency)].map(([label, people]) => ({
    label,
    options: people.map(({ id, name }) => ({ value: id, label: name })),
  }))

type CorrectionFormProps = { person: User; edit: PersonEdit }

/** The same as a card of its own. */
export const CorrectionForm = (props: CorrectionFormProps) => (
  <Card title="Corregir datos">
    <Corrections {...props} />
  </Card>
)

/** What the manager corrects of a person's name and contact data. */
export function Corrections({ person, edit }: CorrectionFormProps) {
  return (
    <>
      {edit.takenOver && (
        <Alert tone="wait" title="Nadie ha confirmado su correo">
          La cuenta puede ser de alguien más. Al guardar cerramos sus sesiones, su contraseña deja de servir y
          mandamos a su correo el enlace para reclamarla.
        </Alert>
      )}
      {edit.nextEmail && (
        <Alert tone="info" title="Falta que confirme su correo nuevo">
          Le mandamos un enlace a <span className="wrap-anywhere">{edit.nextEmail}</span>.
        </Alert>
      )}
      {(person.name || isCustomer(person)) && <Words person={person} />}
      {edit.own ? (
        <p className="text-sm text-mute">Tu correo se cambia en «Mi cuenta», con tu contraseña.</p>
      ) : (
        <Mailbox version={person.version} proved={edit.emailVerified} />
      )}
    </>
  )
}

/** A customer without a name is named here; they still accept the terms at their first screen. */
function Words({ person: { lastname, name, phone, version } }: { person: User }) {
  return (
    <FormDetails
      summary={name ? 'Corregir nombre y teléfono' : 'Registrar nombre y teléfono'}
      intent="correct-profile"
      version={version}
    >
      <Field label="Nombre" name="name" autoComplete="off" defaultValue={name ?? ''} />
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
    <FormDetails summary="Cambiar su correo" intent="correct-email" version={version}>
      <Field
        label="Correo nuevo"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="off"
        help={
          proved
            ? 'Cambia cuando abra el enlace que le mandamos. Avisamos también a su correo de ahora.'
            : 'Cambia de inmediato, y le mandamos el enlace para elegir su contraseña.'
        }
      />
      <Submit className="sm:justify-self-start">Cambiar correo</Submit>
    </FormDetails>
  )
}

/** What the manager may change of a person now, and why the rest is barred. */
export function personEditOf(actor: Actor, person: User, standing: PersonStatus) {
  const { role, kind, agency: agencyId, active } = person
  const before = { role, kind, agencyId, active }
  const facts = { ...standing, before, agencyActive: true, own: person.uid === actor.id, confirmed: true }
  const otherRole = isCustomer(before)
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
