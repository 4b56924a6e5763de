/** The message of a form that needs a network. */
export const needsNetwork = {
  title: 'Sin red',
  description: 'Esto necesita señal. Lo que escribiste sigue aquí.',
}
