/** Every code of the sign-in service (specification §8), with the words of its toast. */
export const signInErrors = {
  'unauthorized-domain': {
    title: 'Este sitio no está autorizado',
    description: 'Desde esta dirección no se puede iniciar sesión. Ábrela desde nuestro sitio oficial.',
  },
  'popup-blocked': {
    title: 'Tu navegador bloqueó la ventana',
    description: 'Te llevamos a la página de acceso. La próxima vez, permite las ventanas de este sitio.',
  },
  'popup-closed-by-user': {
    title: 'Se cerró la ventana',
    description: 'La cerraste antes de terminar. Vuelve a intentarlo cuando quieras.',
  },
  'cancelled-popup-request': {
    title: 'Ese intento se canceló',
    description: 'Abriste otra ventana de acceso. Continúa en la más reciente.',
  },
  'web-storage-unsupported': {
    title: 'Tu navegador no guarda la sesión',
    description: 'Las cookies están desactivadas. Actívalas para este sitio y vuelve a intentarlo.',
  },
  'network-request-failed': {
    title: 'No hay conexión',
    description: 'No pudimos comunicarnos. Revisa tu internet y vuelve a intentarlo.',
  },
  'internal-error': {
    title: 'Algo salió mal',
    description: 'No pudimos terminar el acceso. Vuelve a intentarlo en un momento.',
  },
  'invalid-auth-event': {
    title: 'Ese acceso ya no sirve',
    description: 'La respuesta llegó tarde o ya se había usado. Vuelve a intentarlo desde el principio.',
  },
  'auth-domain-config-required': {
    title: 'Este acceso no está disponible',
    description: 'El servicio de acceso no responde como debe. Usa tu correo y contraseña, o pide ayuda.',
  },
  'invalid-api-key': {
    title: 'Este acceso no está bien configurado',
    description: 'El servicio de acceso no nos reconoció. Usa tu correo y contraseña, o pide ayuda.',
  },
  'operation-not-supported-in-this-environment': {
    title: 'Aquí no se puede usar este acceso',
    description: 'Usa tu correo y contraseña, u otro navegador.',
  },
} as const satisfies Record<string, { title: string; description: string }>
