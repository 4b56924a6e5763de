/** The keys of a call, as its list shows them. */
export const shortcuts = {
  mute: { key: 'M', label: 'Silenciar o activar tu micrófono' },
  camera: { key: 'V', label: 'Encender o apagar tu cámara' },
  screen: { key: 'S', label: 'Compartir tu pantalla o dejar de hacerlo' },
  chat: { key: 'C', label: 'Abrir o cerrar el chat' },
  close: { key: 'Esc', label: 'Cerrar el panel' },
  list: { key: '?', label: 'Ver esta lista' },
} as const satisfies Record<string, { key: string; label: string }>
export type Shortcut = keyof typeof shortcuts

const byKey: Record<string, Shortcut> = {
  m: 'mute',
  v: 'camera',
  s: 'screen',
  c: 'chat',
  '?': 'list',
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat'>
/** Where a key was pressed: a field takes letters itself, a dialog or a menu takes every key. */
export type PressedIn = 'page' | 'field' | 'dialog'

/** What a key does; null when it is somebody else's. `letters` is off for whoever turned the letters off. */
export function shortcutOf(pressed: Pressed, place: PressedIn, letters: boolean): Shortcut | null {
  if (place === 'dialog' || pressed.repeat || pressed.ctrlKey || pressed.metaKey || pressed.altKey)
    return null
  if (pressed.key === 'Escape') return 'close'
  if (place === 'field' || !letters) return null
  return byKey[pressed.key.toLowerCase()] ?? null
}
