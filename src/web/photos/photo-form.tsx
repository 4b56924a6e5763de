import { type LucideIcon, Minimize2, Moon, Vibrate } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PhotoVerdict } from '../../domain/reports/photo-quality.ts'
import { Field } from '../ui/field.tsx'
import { FieldNotes } from '../ui/field-frame.tsx'
import { Form, useFieldResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type PhotoFormProps = {
  slot: string
  /** Whether it may have to be said why it is kept. */
  asksWhy: boolean
  children: ReactNode
}

/** Sends the picture of a slot. Its boxes act by themselves; without JavaScript it is sent by its button. */
export const PhotoForm = ({ slot, asksWhy, children }: PhotoFormProps) => (
  <Form intent="photo" target={{ slot }} encType="multipart/form-data" className="gap-3">
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

type Doubt = { icon: LucideIcon; title: string; advice: string }

const doubts: Record<keyof PhotoVerdict, Doubt> = {
  blurred: {
    icon: Vibrate,
    title: 'Se ve movida o desenfocada',
    advice: 'Apoya el teléfono, toca la pantalla para enfocar y espera un segundo.',
  },
  dark: { icon: Moon, title: 'Se ve oscura', advice: 'Prende la luz o una linterna.' },
  tooSmall: {
    icon: Minimize2,
    title: 'Es muy pequeña',
    advice: 'Tómala con la cámara: las que llegan por mensaje vienen reducidas.',
  },
}

/** What a photo is doubted for, in words, with what to do about it. */
export const doubtsAbout = (verdict: PhotoVerdict): Doubt[] =>
  (Object.keys(doubts) as (keyof PhotoVerdict)[]).filter((name) => verdict[name]).map((name) => doubts[name])

/** Why people keep a photo nonetheless; a tap writes it for them. */
export const usualReasons = ['No hay más luz', 'No puedo acercarme más', 'Así se alcanza a leer']

/** Characters that a reason may have. */
export const longestReason = 300
