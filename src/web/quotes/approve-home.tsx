import type { AddressRow } from '../../server/platform/database/schema/project-schema.ts'
import { PlaceFields } from '../projects/place-fields.tsx'
import { Card } from '../ui/card.tsx'
import { TextArea } from '../ui/field.tsx'
import { FormDetails, useFormResult } from '../ui/form.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { Submit } from '../ui/submit.tsx'

/** The present home of a project whose quote was accepted, for the manager. */
export type MovableHome = { address: AddressRow | null }

type ApproveHomeProps = { home: MovableHome; version: number }

const outcomes = [
  { value: 'yes', label: 'La cotización sirve igual', note: 'Se instala ahí por el mismo precio.' },
  {
    value: 'no',
    label: 'Hay que cotizarlo otra vez',
    note: 'Su instalación espera hasta que acepte la versión nueva. Lo que pagó se queda.',
  },
]

/** The only way by which a project whose quote was accepted gets another home. */
export function ApproveHome({ home: { address }, version }: ApproveHomeProps) {
  const result = useFormResult('approve-home')
  const details = ['betweenStreets', 'references', 'receiverName', 'receiverPhone', 'gateNotes'] as const
  return (
    <Card title="Su domicilio">
      <p className="text-[0.9375rem] text-mute">
        Es el que se cotizó: su cliente no puede cambiarlo. Si se instala en otro, apruébalo aquí.
      </p>
      <FormDetails summary="Aprobar otro domicilio" intent="approve-home">
        <input type="hidden" name="version" value={version} />
        {details.map((name) => (
          <input key={name} type="hidden" name={name} value={address?.[name] ?? ''} />
        ))}
        <input type="hidden" name="dwelling" value={address?.dwelling ?? 'house'} />
        <input type="hidden" name="parking" value={address?.parking ?? 'own_covered'} />
        <PlaceFields address={address} colonias={[]} isWrong={result !== undefined} lookup={null} />
        <RadioCards
          label="¿Y la cotización?"
          name="stands"
          options={outcomes}
          value={result?.values.stands ?? null}
        />
        <TextArea label="Motivo" name="reason" maxLength={500} help="Su cliente lo lee en su correo." />
        <Submit variant="destructive" className="justify-self-start">
          Aprobar el domicilio
        </Submit>
      </FormDetails>
    </Card>
  )
}
