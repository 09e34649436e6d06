/** Settings of the client commands. This is the only file of the folder that reads the environment. */

/** Address and access token of a service, so that the token need not be in the list of processes. */
export const readEnvironment = (): { url: string | undefined; token: string | undefined } => ({
  url: process.env.CUSTOMER_ENGAGEMENT_URL,
  token: process.env.CUSTOMER_ENGAGEMENT_TOKEN,
})
