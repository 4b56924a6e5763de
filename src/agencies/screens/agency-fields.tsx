import { Field, Select, TextArea } from '../../kit/form/field.tsx'
import { formatPhone, money, percent } from '../../shared/format.ts'
import { municipalities, municipalityLabel } from '../../shared/places.ts'
import { Card } from '../../ui/card.tsx'
import type { agencyFor } from '../agency-queries.ts'
import { benefitLabels, commissionLabels } from '../rules/agency.ts'

/** An agency as its editor sees it. */
export type EditedAgency = NonNullable<Awaited<ReturnType<typeof agencyFor>>>
type PartProps = { agency: EditedAgency | null }

const options = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Everything of an agency that is typed in, for adding one and for editing it. */
export function AgencyFields({ agency }: PartProps) {
  return (
    <>
      <Who agency={agency} />
      <Terms terms={agency?.terms ?? null} />
      <Card title="Notas">
        <TextArea
          label="Notas internas"
          name="notes"
          optional
          maxLength={1000}
          defaultValue={agency?.terms?.notes ?? ''}
          help="Solo las ve la gerencia."
        />
      </Card>
    </>
  )
}

function Who({ agency }: PartProps) {
  return (
    <Card title="Datos">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Nombre" name="name" autoComplete="off" maxLength={120} defaultValue={agency?.name} />
        <Field label="Marca" name="brand" optional maxLength={80} defaultValue={agency?.brand ?? ''} />
        <Field
          label="Persona de contacto"
          name="contact"
          optional
          autoComplete="off"
          maxLength={160}
          defaultValue={agency?.contact ?? ''}
        />
        <Field
          label="Teléfono"
          name="phone"
          type="tel"
          inputMode="tel"
          optional
          autoComplete="off"
          defaultValue={agency?.phone ? formatPhone(agency.phone) : ''}
        />
        <Field
          label="Correo electrónico"
          name="email"
          type="email"
          inputMode="email"
          optional
          autoComplete="off"
          defaultValue={agency?.email ?? ''}
        />
        <Field
          label="Alcaldía o municipio"
          name="municipality"
          optional
          list="municipalities"
          maxLength={80}
          defaultValue={agency?.municipality ? municipalityLabel(agency.municipality) : ''}
        />
        <Field
          className="sm:col-span-2"
          label="Domicilio"
          name="address"
          optional
          autoComplete="off"
          maxLength={200}
          defaultValue={agency?.address ?? ''}
        />
      </div>
      <datalist id="municipalities">
        {municipalities.map(({ slug, label }) => (
          <option key={slug} value={label} />
        ))}
      </datalist>
    </Card>
  )
}

function Terms({ terms }: { terms: EditedAgency['terms'] }) {
  const {
    commissionKind = 'percent',
    commissionValue = 0,
    benefitKind = 'none',
    benefitValue = 0,
  } = terms ?? {}
  return (
    <Card title="Condiciones">
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label="Comisión"
          name="commissionKind"
          options={options(commissionLabels)}
          defaultValue={commissionKind}
        />
        <Field
          label="Valor de la comisión"
          name="commissionValue"
          optional
          inputMode="decimal"
          defaultValue={typedTerm(commissionKind, commissionValue)}
          help="Por ejemplo 5.5&nbsp;%, o $1,500.00 por instalación terminada."
        />
        <Select
          label="Límite de los códigos"
          name="benefitKind"
          options={options(benefitLabels)}
          defaultValue={benefitKind}
        />
        <Field
          label="Beneficio máximo"
          name="benefitValue"
          optional
          inputMode="decimal"
          defaultValue={typedTerm(benefitKind, benefitValue)}
          help="Para un porcentaje, 30&nbsp;% como máximo. Un código que dé más espera tu aprobación."
        />
      </div>
    </Card>
  )
}

/** A stored commission or limit as it would be typed; nothing where there is none. */
export function typedTerm(kind: string, value: number): string {
  if (value === 0) return ''
  return kind === 'percent' ? percent(value) : money(value)
}
