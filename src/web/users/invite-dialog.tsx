import { useState } from 'react'
import { useLocation } from 'react-router'
import { kindLabels, staffKinds } from '../../domain/actor.ts'
import type { AgencyName } from '../../server/users/agency-names.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
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

/**
 * Changes once the form was accepted, and the dialog closes. It stays as it is when the form comes back with errors, and
 * when the screen is only read again because somebody else changed something, which takes those errors away.
 */
function useAnswered(result: FormResult | undefined): string {
  const { key } = useLocation()
  const [kept, keep] = useState({ key, refusedAt: '' })
  if (result && kept.refusedAt !== key) keep({ ...kept, refusedAt: key })
  if (!result && kept.key !== key && kept.refusedAt !== key) keep({ key, refusedAt: '' })
  return kept.key
}
