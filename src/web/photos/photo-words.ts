import { type LucideIcon, Minimize2, Moon, Vibrate } from 'lucide-react'
import type { Verdict } from '../../domain/reports/photo-quality.ts'

type Doubt = { icon: LucideIcon; title: string; advice: string }

const doubts: Record<keyof Verdict, Doubt> = {
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
export const doubtsAbout = (verdict: Verdict): Doubt[] =>
  (Object.keys(doubts) as (keyof Verdict)[]).filter((name) => verdict[name]).map((name) => doubts[name])

/** Why people keep a photo nonetheless; a tap writes it for them. */
export const usualReasons = ['No hay más luz', 'No puedo acercarme más', 'Así se alcanza a leer']
/** Characters that a reason may have. */
export const longestReason = 300
