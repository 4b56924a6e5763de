/** The moves of a code by the intent of the button that asks for them. */
export const moveOf = {
  'codes.activate': 'activate',
  'codes.ask': 'ask',
  'codes.pause': 'pause',
  'codes.resume': 'resume',
  'codes.revoke': 'revoke',
} as const
export type AskedMove = (typeof moveOf)[keyof typeof moveOf]

/** What is said of a code that was moved. */
export const movedWords: Record<AskedMove, (code: string) => string> = {
  activate: (code) => `El código ${code} está activo`,
  ask: (code) => `Pedimos la aprobación de ${code}`,
  pause: (code) => `El código ${code} quedó en pausa`,
  resume: (code) => `El código ${code} está activo otra vez`,
  revoke: (code) => `El código ${code} quedó revocado`,
}

/** What each of them means. */
export const movedNotes: Record<AskedMove, string> = {
  activate: 'Ya se puede compartir.',
  ask: 'Su beneficio pasa del límite de tu concesionaria. La gerencia te avisa por correo.',
  pause: 'Nadie lo puede usar hasta que lo reanudes.',
  resume: 'Se puede usar otra vez.',
  revoke: 'Quien ya lo usó conserva su beneficio.',
}
