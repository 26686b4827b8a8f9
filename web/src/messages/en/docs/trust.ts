/** How each component of the trust score is earned, and what a level requires besides its score. */
export const trust: {
  components: Readonly<Record<string, (profileFields: number) => string>>
  needs: Readonly<Record<string, string>>
} = {
  components: {
    email_verified: () => 'The email address is verified',
    domain_verified: () => 'The domain is verified',
    complete_profile: (fields) =>
      `In proportion to how many of ${fields} fields are filled in: description, logo, founding year, company size, city, country, phone number, support email, GitHub or LinkedIn, trust center`,
    compliance_certifications: () => '5 for each certification stated, up to 10',
    ai_certifications: () => 'An AI-specific certification is stated',
    model_verified: () => 'The domain is verified, and a public model has a verified bundle',
    active_usage: () => '5 links were opened from different networks (each network counts once a day)',
    multiple_models: () => 'Two active, public models',
    experienced: () => '50 links were opened from different networks',
    business_presence: () => 'A GitHub or LinkedIn URL is stated',
    dedicated_support: () => 'A support email address at the verified domain is stated',
  },
  needs: {
    premium: 'a verified domain and email address, a verified bundle of its own and 5 opened links',
    advanced: 'a verified domain and email address, a verified bundle of its own and 5 opened links',
    standard: 'a verified domain and email address',
    basic: 'a verified email address',
    unverified: '',
  },
}
