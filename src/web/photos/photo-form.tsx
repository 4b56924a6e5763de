import type { ReactNode } from 'react'
import { Field } from '../ui/field.tsx'
import { FieldNotes } from '../ui/field-frame.tsx'
import { Form, type FormResult, useFieldResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { longestReason } from './photo-words.ts'

type PhotoFormProps = {
  slot: string
  /** Whether it may have to be said why it is kept. */
  asksWhy: boolean
  result: FormResult | undefined
  children: ReactNode
}

/** Sends the picture of a slot. Its boxes act by themselves; without JavaScript it is sent by its button. */
export const PhotoForm = ({ slot, asksWhy, result, children }: PhotoFormProps) => (
  <Form encType="multipart/form-data" result={result} className="gap-3">
    <input type="hidden" name="intent" value="photo" />
    <input type="hidden" name="slot" value={slot} />
    {children}
    <PhotoError slot={slot} />
    <div className="hidden gap-4 noscript:grid">
      {asksWhy && (
        <Field
          label="Si no se ve bien, ¿por qué la conservas?"
          name="keptBecause"
          optional
          maxLength={longestReason}
        />
      )}
      <Submit variant="ghost">Guardar {asksWhy ? 'foto' : 'firma'}</Submit>
    </div>
  </Form>
)

function PhotoError({ slot }: { slot: string }) {
  const { error } = useFieldResult('photo')
  return <FieldNotes id={`${slot}-photo`} help={undefined} error={error} />
}
