import { kindLabel } from '../../domain/access/actor.ts'
import { formatPhone, longDate, telLink, whatsappLink } from '../../domain/shared/format.ts'
import type { User } from '../../domain/users/user.ts'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'

type PersonFactsProps = {
  person: User
  agency: string | null
  /** Null for whoever only looks somebody up. */
  emailVerified: boolean | null
}

/** Who somebody is and how to reach them. */
export function PersonFacts({ person, agency, emailVerified }: PersonFactsProps) {
  return (
    <Card title="Datos">
      <DefinitionList
        items={[
          { term: 'Rol', value: kindLabel(person) },
          { term: 'Concesionaria', value: agency },
          { term: 'Correo', value: <Email email={person.email} verified={emailVerified} /> },
          { term: 'Teléfono', value: person.phone && <PhoneLinks phone={person.phone} /> },
          { term: 'Desde', value: emailVerified === null ? null : longDate(person.createdAt) },
        ]}
      />
    </Card>
  )
}

const Email = ({ email, verified }: { email: string; verified: boolean | null }) => (
  <>
    <span className="break-all">
      <a href={`mailto:${email}`}>{email}</a>
    </span>
    {verified === false && <span className="block text-sm text-mute">Sin verificar todavía</span>}
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
