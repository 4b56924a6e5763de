import { Field, FieldNotes, Select, useField } from '../../kit/form/field.tsx'
import { useFormAnswered } from '../../kit/form/form.tsx'
import { chargerOrigins, type Equipment } from '../../projects/rules/equipment.ts'
import { Details } from '../../ui/card.tsx'
import { interests } from '../rules/appointment.ts'

const origins = Object.entries(chargerOrigins).map(([value, label]) => ({ value, label }))

/** Car and charger, asked once and never required; folded until the customer opens it. */
export function EquipmentFields() {
  const answered = useFormAnswered()
  return (
    <Details summary="Tu auto y tu cargador (opcional)" open={answered}>
      <EquipmentBoxes />
    </Details>
  )
}

/** The boxes themselves, with what is known already. */
export function EquipmentBoxes({ known }: { known?: Partial<Equipment> }) {
  const { vehicle, charger } = known ?? {}
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        label="Marca del auto"
        name="vehicleBrand"
        optional="unsaid"
        maxLength={40}
        defaultValue={vehicle?.brand ?? ''}
      />
      <Field
        label="Modelo"
        name="vehicleModel"
        optional="unsaid"
        maxLength={60}
        defaultValue={vehicle?.model ?? ''}
      />
      <Field
        label="Año"
        name="vehicleYear"
        optional="unsaid"
        inputMode="numeric"
        maxLength={4}
        defaultValue={vehicle?.year ?? ''}
      />
      <Field
        label="Fecha de entrega"
        name="vehicleDeliveredOn"
        type="date"
        optional="unsaid"
        defaultValue={vehicle?.deliveredOn ?? ''}
        help="Si todavía no te lo entregan."
      />
      <Select
        label="¿De quién es el cargador?"
        name="chargerOrigin"
        optional="unsaid"
        placeholder="Todavía no sé"
        options={origins}
        defaultValue={charger?.origin}
      />
      <Field
        label="Marca del cargador"
        name="chargerBrand"
        optional="unsaid"
        maxLength={40}
        defaultValue={charger?.brand ?? ''}
      />
      <Field
        label="Potencia del cargador, en kW"
        name="chargerKilowatts"
        optional="unsaid"
        inputMode="decimal"
        maxLength={5}
        defaultValue={charger?.kilowatts ?? ''}
      />
    </div>
  )
}

/** What a call is about, as radio buttons. */
export function InterestPicker({ legend = '¿De qué quieres hablar?' }: { legend?: string }) {
  const { described, error, id, typed } = useField({ name: 'interest' })
  return (
    <fieldset {...described} id={id} className="grid gap-2">
      <legend className="mb-2 font-semibold">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {interests.map(({ value, label }) => (
          <label
            key={value}
            className="flex min-h-12 items-center gap-3 rounded-control border border-line bg-card px-3.5 hover:bg-hover has-checked:border-brand has-checked:bg-brand-soft"
          >
            <input
              type="radio"
              name="interest"
              value={value}
              defaultChecked={typed === value}
              className="size-6 shrink-0 accent-brand"
            />
            {label}
          </label>
        ))}
      </div>
      <FieldNotes id={id} error={error} />
    </fieldset>
  )
}
