/** What is said of a form that only goes with a network. */
export const needsNetwork = {
  title: 'Sin red',
  description: 'Esto necesita señal. Lo que escribiste sigue aquí.',
}
