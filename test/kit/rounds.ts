/** How often a random test tries: the usual number, or so many times that many with ROUNDS=20. */
export const rounds = (usual: number) => usual * Number(process.env.ROUNDS ?? 1)
