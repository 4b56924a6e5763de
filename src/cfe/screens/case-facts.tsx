import { serviceFacts } from '../../appointments/rules/appointment.ts'
import { Checkbox, Field, Select } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit } from '../../kit/form/form.tsx'
import { addressLine } from '../../projects/rules/address.ts'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { quoteStateFacts } from '../../quotes/rules/quote.ts'
import { formatPhone, fullName, telLink, whatsappLink } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import type { ShownCase } from '../queries.ts'
import { isUnfiled } from '../rules/case.ts'
import { poleLimit, supplyFor } from '../rules/papers.ts'

type CaseFactsProps = { shown: ShownCase; className: string }

/** What the gester may correct by typing it. */
const typed = [
  {
    label: 'Titular, si no es el cliente',
    name: 'holderName',
    maxLength: 120,
    autoComplete: 'off',
    help: 'Si lo escribes, pedimos su carta poder.',
  },
  {
    label: 'Número de servicio',
    name: 'serviceNumber',
    inputMode: 'numeric',
    maxLength: 20,
    help: '12 dígitos, vienen en el recibo.',
  },
  { label: 'Número de medidor', name: 'meterNumber', maxLength: 20 },
  { label: 'Metros del poste al medidor', name: 'poleMetres', inputMode: 'decimal', maxLength: 6 },
  { label: 'Potencia del cargador (kW)', name: 'chargerKilowatts', inputMode: 'decimal', maxLength: 5 },
  {
    label: 'Carga contratada hoy (kW)',
    name: 'contractedKilowatts',
    inputMode: 'decimal',
    maxLength: 5,
    help: 'Viene en el recibo.',
  },
  {
    label: 'Carga que se pide (kW)',
    name: 'requestedKilowatts',
    inputMode: 'decimal',
    maxLength: 5,
    help: 'La carta lleva las dos.',
  },
  { label: 'Tarifa', name: 'tariff', maxLength: 10, autoCapitalize: 'characters' },
] as const

/** What a case says of the service, on which CFE's requirements depend. */
export function CaseFactsCard({ shown, className }: CaseFactsProps) {
  const { needsFeasibility, row, works } = shown
  return (
    <Card title="Datos del servicio" className={className}>
      <DefinitionList
        items={[
          { term: 'Titular', value: row.holderName ?? 'El cliente' },
          { term: 'Número de servicio', value: row.serviceNumber ?? 'Sin anotar' },
          { term: 'Medidor', value: row.meterNumber },
          {
            term: 'Poste a medidor',
            value: row.poleMetres === null ? 'Sin medir' : `${row.poleMetres}\u00a0m`,
          },
          {
            term: 'Cargador',
            value: row.chargerKilowatts === null ? null : `${row.chargerKilowatts}\u00a0kW`,
          },
          { term: 'Contrato', value: row.contractNumber },
          { term: 'Medidor que instaló CFE', value: row.newMeterNumber },
          { term: 'Carga contratada', value: inKilowatts(row.contractedKilowatts) },
          { term: 'Carga que se pide', value: inKilowatts(row.requestedKilowatts) },
          { term: 'Tarifa', value: row.tariff },
          { term: 'Suministro', value: supplyFor(row.requestedKilowatts, row.isThreePhase) },
        ]}
      />
      {needsFeasibility && (
        <Alert tone="wait" title="Pide primero la factibilidad">
          {row.isThreePhase
            ? 'Es un servicio trifásico.'
            : `El poste está a más de ${poleLimit}\u00a0m del medidor.`}{' '}
          La carta de solicitud ya la incluye.
        </Alert>
      )}
      {works && isUnfiled(row.state) && (
        <FormDetails summary="Corregir los datos" intent="case.facts" version={row.version}>
          {typed.map(({ name, ...field }) => (
            <Field key={name} name={name} optional defaultValue={row[name] ?? ''} {...field} />
          ))}
          <div className="grid">
            <Checkbox label="Es trifásico" name="isThreePhase" defaultChecked={row.isThreePhase} />
            <Checkbox
              label="Lleva permiso del condominio"
              name="needsPermit"
              defaultChecked={row.needsPermit}
            />
            <Checkbox label="Lleva dictamen de la UVIE" name="needsUvie" defaultChecked={row.needsUvie} />
          </div>
          <Submit variant="ghost" className="justify-self-start max-sm:w-full">
            Guardar datos
          </Submit>
        </FormDetails>
      )}
    </Card>
  )
}

const inKilowatts = (value: number | null) => (value === null ? null : `${value}\u00a0kW`)

type Gester = { id: string; name: string; open: number }

/** `gesters` is null for users who assign no cases. */
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
          {
            term: 'Nombre',
            value: <CustomerLink id={customer.id}>{fullName(customer)}</CustomerLink>,
          },
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

/** The manager assigns a case to a gester; a gester takes one that is unassigned. */
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
