import { isUnfiled } from '../../domain/cfe/case.ts'
import { poleLimit } from '../../domain/cfe/papers.ts'
import type { ShownCase } from '../../server/cfe/queries.ts'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { Field } from '../ui/field.tsx'
import { FormDetails } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type CaseFactsProps = { shown: ShownCase; className: string }

/** What a case says of the service, from which follows what CFE wants of it. */
export function CaseFactsCard({ shown, className }: CaseFactsProps) {
  const { needsFeasibility, row, works } = shown
  return (
    <Card title="Datos del servicio" className={className}>
      <DefinitionList
        items={[
          { term: 'Titular', value: row.holderName ?? 'El cliente' },
          { term: 'Número de servicio', value: row.serviceNumber ?? 'Sin anotar' },
          { term: 'Medidor', value: row.meterNumber },
          { term: 'Poste a medidor', value: row.poleMetres === null ? 'Sin medir' : `${row.poleMetres} m` },
          { term: 'Cargador', value: row.chargerKilowatts === null ? null : `${row.chargerKilowatts} kW` },
          { term: 'Suministro', value: row.isThreePhase ? 'Trifásico' : 'Monofásico o bifásico' },
        ]}
      />
      {needsFeasibility && (
        <Alert tone="wait" title="Pide primero la factibilidad">
          {row.isThreePhase
            ? 'Es un servicio trifásico.'
            : `El poste está a más de ${poleLimit} m del medidor.`}{' '}
          La carta de solicitud ya la incluye.
        </Alert>
      )}
      {works && isUnfiled(row.state) && (
        <FormDetails summary="Corregir los datos" intent="case.facts">
          <input type="hidden" name="version" value={row.version} />
          <Field
            label="Titular, si no es el cliente"
            name="holderName"
            optional
            maxLength={120}
            autoComplete="off"
            help="Si lo escribes, pedimos su carta poder."
            defaultValue={row.holderName ?? ''}
          />
          <Field
            label="Número de servicio"
            name="serviceNumber"
            optional
            inputMode="numeric"
            maxLength={20}
            help="12 dígitos, vienen en el recibo."
            defaultValue={row.serviceNumber ?? ''}
          />
          <Field
            label="Número de medidor"
            name="meterNumber"
            optional
            maxLength={20}
            defaultValue={row.meterNumber ?? ''}
          />
          <Field
            label="Metros del poste al medidor"
            name="poleMetres"
            optional
            inputMode="decimal"
            maxLength={6}
            defaultValue={row.poleMetres ?? ''}
          />
          <Field
            label="Potencia del cargador (kW)"
            name="chargerKilowatts"
            optional
            inputMode="decimal"
            maxLength={5}
            defaultValue={row.chargerKilowatts ?? ''}
          />
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
