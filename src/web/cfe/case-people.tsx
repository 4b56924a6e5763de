import { serviceFacts } from '../../domain/appointments/appointment.ts'
import { addressLine } from '../../domain/projects/address.ts'
import { quoteStateFacts } from '../../domain/quotes/quote.ts'
import { formatPhone, fullName, telLink, whatsappLink } from '../../domain/shared/format.ts'
import type { ShownCase } from '../../server/cfe/queries.ts'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { Form, FormDetails } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'

type Gester = { id: string; name: string; open: number }
/** `gesters` is null for those who hand nothing over. */
type CasePeopleProps = {
  shown: ShownCase
  gesters: readonly Gester[] | null
  className: string
}

/** Whose case it is, how to reach them, what was done at their home, and who handles it. */
export function CasePeople({ shown, gesters, className }: CasePeopleProps) {
  const { address, customer, gester, quote, row, visits } = shown
  const { phone } = customer
  return (
    <Card title="Cliente" className={className}>
      <DefinitionList
        items={[
          { term: 'Nombre', value: fullName(customer) },
          { term: 'Teléfono', value: phone && <a href={telLink(phone)}>{formatPhone(phone)}</a> },
          {
            term: 'Domicilio',
            value: address && addressLine(address),
          },
          { term: 'Gestor', value: gester ?? 'Sin gestor' },
        ]}
      />
      <div className="flex flex-wrap gap-3">
        {phone && (
          <a
            className={buttonClass('ghost')}
            href={whatsappLink(phone, `Hola, te escribo por tu trámite ${row.folio}.`)}
          >
            Escribir por WhatsApp
          </a>
        )}
        {visits.map(({ folio, id, service }) => (
          <LinkButton key={id} variant="ghost" to={`/admin/appointments-done/${id}`}>
            {serviceFacts[service].label} {folio}
          </LinkButton>
        ))}
        {quote && (
          <LinkButton variant="ghost" to={`/admin/cotizations/detail-quote/${quote.id}`}>
            {quote.folio}: {quoteStateFacts[quote.state].label.toLowerCase()}
          </LinkButton>
        )}
      </div>
      <Handler shown={shown} gesters={gesters} />
    </Card>
  )
}

/** The manager gives a case to somebody; a gester takes one that is nobody's. */
function Handler({ shown: { row, works }, gesters }: Omit<CasePeopleProps, 'className'>) {
  const version = <input type="hidden" name="version" value={row.version} />
  if (row.closedAt || !works) return null
  if (gesters)
    return (
      <FormDetails summary="Pasarlo a otro gestor" intent="case.give">
        {version}
        <Select
          label="Gestor"
          name="gesterId"
          placeholder="Elige"
          options={gesters.map(({ id, name, open }) => ({
            value: id,
            label: `${name} (${open} abiertos)`,
          }))}
          defaultValue={row.gesterId}
        />
        <Submit variant="ghost" className="justify-self-start max-sm:w-full">
          Pasar trámite
        </Submit>
      </FormDetails>
    )
  if (row.gesterId) return null
  return (
    <Form intent="case.take" className="gap-3">
      {version}
      <Submit className="justify-self-start max-sm:w-full">Tomar el trámite</Submit>
    </Form>
  )
}
