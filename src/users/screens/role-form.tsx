import { kindLabel } from '../../access/rules/actor.ts'
import { Checkbox, Select } from '../../kit/form/field.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import { formatPhone, shortDate, telLink, whatsappLink } from '../../shared/format.ts'
import { hasMailbox, shownEmail } from '../../shared/mailbox.ts'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import type { AgencyName } from '../queries.ts'
import { type RoleChoice, roleChoices, type User } from '../rules/user.ts'
import { AffectedAppointments } from './affected.tsx'
import { AgencySelect } from './agency-select.tsx'

type RoleFormProps = {
  version: number
  choice: RoleChoice
  agency: string | null
  agencies: readonly AgencyName[]
  /** Why it can't be changed now. */
  barred: string | null
  /** The manager edits their own role, and would lose this very page. */
  ownManager: boolean
}

const choices = Object.entries(roleChoices).map(([value, label]) => ({ value, label }))

/** The role of a person: customer, or one of the kinds of staff. */
export function RoleForm({ version, choice, agency, agencies, barred, ownManager }: RoleFormProps) {
  if (barred)
    return (
      <Card title="Rol y permisos">
        <p>{barred}</p>
      </Card>
    )
  return (
    <Card title="Rol y permisos">
      <Form intent="role" version={version} className="group">
        <Select
          label="Rol"
          name="role"
          options={choices}
          defaultValue={choice}
          help="Al cambiarlo se cierran sus sesiones y entra de nuevo con sus permisos."
        />
        <AgencySelect agencies={agencies} chosen={agency} />
        {ownManager && (
          <Checkbox
            label="Entiendo que dejo de ser Manager y pierdo el acceso a esta página"
            name="confirmed"
            value="yes"
          />
        )}
        <AffectedAppointments />
        <Submit className="sm:justify-self-start">Guardar rol</Submit>
      </Form>
    </Card>
  )
}

type PersonFactsProps = {
  person: User
  agency: string | null
  /** Null for a user who only looks the person up. */
  emailVerified: boolean | null
}

/** Who a person is and how to reach them. */
export function PersonFacts({ person, agency, emailVerified }: PersonFactsProps) {
  return (
    <Card title="Datos">
      <DefinitionList
        items={[
          { term: 'Rol', value: kindLabel(person) },
          { term: 'Concesionaria', value: agency },
          { term: 'Correo', value: <Email email={person.email} verified={emailVerified} /> },
          { term: 'Teléfono', value: person.phone && <PhoneLinks phone={person.phone} /> },
          { term: 'Desde', value: emailVerified === null ? null : shortDate(person.createdAt) },
        ]}
      />
    </Card>
  )
}

const Email = ({ email, verified }: { email: string; verified: boolean | null }) => (
  <>
    <span className="break-all">
      {hasMailbox(email) ? <a href={`mailto:${email}`}>{email}</a> : shownEmail(email)}
    </span>
    {verified === false && hasMailbox(email) && (
      <span className="block text-sm text-mute">Correo sin confirmar</span>
    )}
  </>
)

const PhoneLinks = ({ phone }: { phone: string }) => (
  <>
    <span className="whitespace-nowrap">
      <a href={telLink(phone)}>{formatPhone(phone)}</a>
    </span>
    {' · '}
    <a href={whatsappLink(phone)} rel="noreferrer">
      WhatsApp
    </a>
  </>
)
