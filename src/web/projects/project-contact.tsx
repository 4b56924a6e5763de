import { Link } from 'react-router'
import { chargerInWords, vehicleInWords } from '../../domain/projects/equipment.ts'
import { formatPhone, shortDate, telLink, whatsappLink } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { ProjectFile } from '../../server/projects/file.ts'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'

type ProjectContactProps = { project: ProjectFile; isManager: boolean }

/** Whose project it is and where, what is to be installed, and who brought them. */
export function ProjectContact({ project, isManager }: ProjectContactProps) {
  const { address, agency, agencyId, charger, createdAt, customerId, email, phone, vehicle } = project
  return (
    <Card title="Cliente" aside={isManager && <Link to={`/admin/users/${customerId}`}>Ver su cuenta</Link>}>
      <DefinitionList
        items={[
          { term: 'Teléfono', value: phone && <PhoneLinks phone={phone} /> },
          { term: 'Correo', value: <a href={`mailto:${email}`}>{email}</a> },
          { term: 'Domicilio', value: address && addressWords(address) },
          { term: 'Recibe', value: address?.receiverName },
          {
            term: 'Su teléfono',
            value: address?.receiverPhone && <PhoneLinks phone={address.receiverPhone} />,
          },
          { term: 'Auto', value: vehicleInWords(vehicle) },
          { term: 'Cargador', value: chargerInWords(charger) },
          { term: 'Concesionaria', value: agency && <Link to={`/admin/agency/${agencyId}`}>{agency}</Link> },
          { term: 'Cliente desde', value: shortDate(createdAt) },
        ]}
      />
    </Card>
  )
}

const PhoneLinks = ({ phone }: { phone: string }) => (
  <span className="flex flex-wrap gap-x-4">
    <a href={telLink(phone)}>{formatPhone(phone)}</a>
    <a href={whatsappLink(phone)}>WhatsApp</a>
  </span>
)

function addressWords(address: NonNullable<ProjectFile['address']>): string {
  const { colonia, innerNumber, municipality, outerNumber, postalCode, street } = address
  const inner = innerNumber ? ` int. ${innerNumber}` : ''
  return `${street} ${outerNumber}${inner}, ${colonia}, ${municipalityLabel(municipality)}, C. P. ${postalCode}`
}
