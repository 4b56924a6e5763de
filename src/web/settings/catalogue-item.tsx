import type { ReactNode } from 'react'
import { chargedKinds, ivaLabels, ivaRates, quoteLimits } from '../../domain/quotes/content.ts'
import { unitPriceText } from '../../domain/shared/money.ts'
import type { EditedItem } from '../../server/quotes/benefit.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { Form, useFormResult } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import { AffectedAppointments } from '../users/affected.tsx'
import { settingsPath } from './pages.ts'

const options = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

type ItemFormProps = {
  /** Null is one to be added. */
  item: EditedItem | null
}

/** One item of the catalogue; its code is given once, since the rules propose it by that. */
export function CatalogueItemForm({ item }: ItemFormProps) {
  const intent = item ? 'settings.catalogue.edit' : 'settings.catalogue.add'
  const result = useFormResult(intent)
  const confirm = (result?.refusal?.details as { confirm?: { amount: number } } | undefined)?.confirm
  return (
    <Form intent={intent}>
      {confirm && <input type="hidden" name="sure" value={confirm.amount} />}
      {item && <input type="hidden" name="version" value={item.version} />}
      {item && <input type="hidden" name="code" value={item.code} />}
      <Card title={item ? `Partida ${item.code}` : 'Partida nueva'}>
        {!item && (
          <Field
            label="Clave"
            name="code"
            autoComplete="off"
            maxLength={20}
            help="No se puede cambiar después."
          />
        )}
        <ItemFields item={item} />
        <Checkbox label="Se usa en cotizaciones nuevas" name="active" defaultChecked={item?.active ?? true} />
      </Card>
      <ActionBar className="grid-cols-2">
        <Submit>{confirm ? 'Sí, guardar' : item ? 'Guardar' : 'Agregar'}</Submit>
        <LinkButton variant="ghost" to={settingsPath('catalogue')} className="px-2">
          Volver al catálogo
        </LinkButton>
      </ActionBar>
    </Form>
  )
}

function ItemFields({ item }: { item: EditedItem | null }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        className="sm:col-span-2"
        label="Descripción"
        name="description"
        autoComplete="off"
        maxLength={quoteLimits.description}
        defaultValue={item?.description ?? ''}
      />
      <Field
        label="Precio por unidad, sin IVA"
        name="unitPrice"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={item ? unitPriceText(item.unitPrice) : ''}
        help="Hasta cuatro decimales."
      />
      <Field
        label="Costo por unidad, sin IVA"
        name="unitCost"
        optional
        inputMode="decimal"
        autoComplete="off"
        defaultValue={item?.unitCost == null ? '' : unitPriceText(item.unitCost)}
        help="Solo lo ve la gerencia: nadie más envía una cotización por debajo del costo."
      />
      <Field
        label="Unidad"
        name="unit"
        autoComplete="off"
        maxLength={quoteLimits.unit}
        defaultValue={item?.unit ?? 'pieza'}
        help="Por ejemplo m, pieza o servicio."
      />
      <Select
        label="Tipo"
        name="kind"
        options={options(chargedKinds)}
        defaultValue={item?.kind ?? 'material'}
      />
      <Select
        label="IVA"
        name="iva"
        options={ivaRates.map((rate) => ({ value: String(rate), label: ivaLabels[rate] }))}
        defaultValue={String(item?.iva ?? 16)}
      />
      <Field
        label="Clave del SAT"
        name="satProduct"
        inputMode="numeric"
        autoComplete="off"
        maxLength={8}
        defaultValue={item?.satProduct ?? ''}
        help="ClaveProdServ, 8 dígitos."
      />
      <Field
        label="Clave de unidad del SAT"
        name="satUnit"
        autoComplete="off"
        maxLength={3}
        defaultValue={item?.satUnit ?? ''}
        help="MTR, H87, E48…"
      />
    </div>
  )
}

type SectionFormProps = {
  intent: string
  version: number
  /** What its button says. */
  submit?: string
  children: ReactNode
}

/** The form of one page; appointments that its change touches are settled in it. */
export function SectionForm({ intent, version, submit = 'Guardar', children }: SectionFormProps) {
  return (
    <Form intent={intent}>
      <input type="hidden" name="version" value={version} />
      <Card>{children}</Card>
      <AffectedAppointments />
      <ActionBar>
        <Submit>{submit}</Submit>
      </ActionBar>
    </Form>
  )
}
