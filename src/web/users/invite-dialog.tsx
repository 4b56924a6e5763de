import { kindLabels, staffKinds } from '../../domain/access/actor.ts'
import type { AgencyName } from '../../server/users/agency-names.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import { useAnswered } from '../ui/use-answered.ts'
import { AgencySelect } from './agency-select.tsx'

type InviteDialogProps = { agencies: readonly AgencyName[]; result: FormResult | undefined }

/** Asks whom to invite and as what. */
export function InviteDialog({ agencies, result }: InviteDialogProps) {
  return (
    <Dialog
      key={useAnswered(result)}
      trigger="Invitar"
      variant="primary"
      title="Invitar al equipo"
      description="Le llega un correo con un enlace que sirve una sola vez, durante 7 días."
      defaultOpen={result !== undefined}
    >
      <Form result={result} className="group">
        <input type="hidden" name="intent" value="invite" />
        <Field
          label="Correo electrónico"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="off"
          enterKeyHint="next"
        />
        <Select
          label="Rol"
          name="kind"
          placeholder="Elige uno"
          options={staffKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
        />
        <AgencySelect agencies={agencies} />
        <Submit>Enviar invitación</Submit>
      </Form>
    </Dialog>
  )
}
