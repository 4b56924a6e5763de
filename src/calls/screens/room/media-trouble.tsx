import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import type { MediaProblem } from '../rtc/call-state.ts'

type MediaTroubleProps = { problem: MediaProblem; onAgain?: () => void }

/** Why camera or microphone don't work, and what to do in this very browser. */
export function MediaTrouble({ problem, onAgain }: MediaTroubleProps) {
  const browser = browserOf(navigator.userAgent, navigator.maxTouchPoints)
  const { title, steps } = helpFor(problem, { browser, secure: window.isSecureContext })
  return (
    <div role="alert">
      <Alert
        tone="bad"
        title={title}
        actions={
          onAgain && (
            <Button variant="ghost" onClick={onAgain}>
              Volver a intentar
            </Button>
          )
        }
      >
        <ol className="list-decimal space-y-1 pl-5">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Alert>
    </div>
  )
}

/** Browsers that ask for camera and microphone each in their own way. */
export type Browser =
  | 'chrome'
  | 'edge'
  | 'firefox'
  | 'safari_mac'
  | 'safari_iphone'
  | 'other_iphone'
  | 'chrome_android'
  | 'within_app'
  | 'other'

/** Which one this is. An iPad says that it is a Mac, but no Mac has a screen to touch. */
export function browserOf(userAgent: string, maxTouchPoints: number): Browser {
  const says = (pattern: RegExp) => pattern.test(userAgent)
  const isApple = says(/iPhone|iPad|iPod/) || (says(/Macintosh/) && maxTouchPoints > 1)
  if (says(/FBAN|FBAV|Instagram|Line\/|; wv\)/)) return 'within_app'
  if (isApple) return says(/CriOS|FxiOS|EdgiOS|OPT\//) ? 'other_iphone' : 'safari_iphone'
  if (says(/Firefox\//)) return 'firefox'
  if (says(/OPR\/|SamsungBrowser/)) return 'other'
  if (says(/Android/) && says(/Chrome\//)) return 'chrome_android'
  if (says(/Edg\//)) return 'edge'
  if (says(/Chrome\//)) return 'chrome'
  return says(/Macintosh/) && says(/Safari\//) ? 'safari_mac' : 'other'
}

const besideAddress = (icon: string) => [
  `Toca ${icon}, a la izquierda de la dirección de esta página.`,
  'Cambia Cámara y Micrófono a «Permitir».',
]

/** What to do where camera or microphone were refused, one step a line. */
export const permissionSteps: Record<Browser, readonly string[]> = {
  chrome: besideAddress('el icono de ajustes (dos barras con un punto)'),
  edge: besideAddress('el candado'),
  firefox: [
    'Haz clic en el icono de la cámara tachada, a la izquierda de la dirección de esta página.',
    'Quita el bloqueo con la «x» junto a Cámara y Micrófono.',
    'Vuelve a intentar y elige «Permitir».',
  ],
  safari_mac: [
    'En el menú Safari abre «Ajustes para este sitio web».',
    'En Cámara y Micrófono elige «Permitir».',
  ],
  safari_iphone: [
    'Toca el icono a la izquierda de la dirección y luego «Ajustes del sitio web».',
    'En Cámara y Micrófono elige «Permitir».',
    'Si no aparece: abre Ajustes del iPhone, Apps, Safari, y permite Cámara y Micrófono.',
  ],
  other_iphone: [
    'Abre Ajustes del iPhone y luego Apps.',
    'Elige tu navegador y activa Cámara y Micrófono.',
    'Regresa a esta página.',
  ],
  chrome_android: [
    'Toca el icono a la izquierda de la dirección y luego «Permisos».',
    'Activa Cámara y Micrófono.',
    'Si no aparecen: abre Ajustes del teléfono, Apps, Chrome, Permisos.',
  ],
  within_app: [
    'Abriste esta página dentro de otra aplicación, que no da permiso.',
    'Toca el menú (⋮ o …) y elige «Abrir en el navegador».',
  ],
  other: [
    'Busca el icono de permisos junto a la dirección de esta página.',
    'Permite Cámara y Micrófono para este sitio.',
  ],
}

const names = { camera: 'tu cámara', microphone: 'tu micrófono', both: 'tu cámara y tu micrófono' }

type Help = { title: string; steps: readonly string[] }

/** What happened to a device, and what to do; `secure` is whether the page came over https. */
export function helpFor(
  { of, because }: MediaProblem,
  { browser, secure }: { browser: Browser; secure: boolean },
): Help {
  const what = of === 'screen' ? 'tu pantalla' : names[of]
  if (!secure) return { title: `Aquí el navegador no deja usar ${what}`, steps: insecureSteps }
  if (because === 'denied')
    return { title: `El navegador no tiene permiso para usar ${what}`, steps: permissionSteps[browser] }
  return { title: titles[because](what), steps: otherSteps[because] }
}

type Otherwise = Exclude<MediaProblem['because'], 'denied'>

const titles: Record<Otherwise, (what: string) => string> = {
  missing: (what) => `No encontramos ${what}`,
  in_use: (what) => `Otro programa está usando ${what}`,
  unsupported: (what) => `Este navegador no puede usar ${what}`,
  other: (what) => `No pudimos abrir ${what}`,
}

const otherSteps: Record<Otherwise, readonly string[]> = {
  missing: ['Conéctalos o revisa el cable.', 'También puedes entrar sin ellos: hay chat.'],
  in_use: ['Cierra otras llamadas o programas de video (Zoom, Teams, Meet, WhatsApp).', 'Vuelve a intentar.'],
  unsupported: ['Abre esta página con una versión reciente de Chrome, Edge, Firefox o Safari.'],
  other: [
    'Desconecta y vuelve a conectar el aparato, o elige otro.',
    'Si sigue igual, reinicia el navegador.',
  ],
}

const insecureSteps = [
  'La dirección debe empezar con https://.',
  'Vuelve a entrar desde tu correo o tu inicio.',
]
