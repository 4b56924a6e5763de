import { formatPhone, telLink } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import type { EditedAgency } from './agency-fields.tsx'

/** What those who don't edit an agency read of it; its terms are not among that. */
export function AgencyFacts({ agency }: { agency: EditedAgency }) {
  const { name, brand, contact, phone, email, address, municipality } = agency
  return (
    <Card title="Datos">
      <DefinitionList
        items={[
          { term: 'Nombre', value: name },
          { term: 'Marca', value: brand },
          { term: 'Persona de contacto', value: contact },
          { term: 'Teléfono', value: phone && <a href={telLink(phone)}>{formatPhone(phone)}</a> },
          { term: 'Correo electrónico', value: email && <a href={`mailto:${email}`}>{email}</a> },
          { term: 'Domicilio', value: address },
          { term: 'Alcaldía o municipio', value: municipality && municipalityLabel(municipality) },
        ]}
      />
    </Card>
  )
}
